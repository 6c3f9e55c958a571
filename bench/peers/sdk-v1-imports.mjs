import "@modelcontextprotocol/sdk/server/mcp.js";
import "@modelcontextprotocol/sdk/server/stdio.js";
