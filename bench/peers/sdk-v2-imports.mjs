import "@modelcontextprotocol/server";
import "@modelcontextprotocol/server/stdio";
