import "@parlance/jsonrpc";
import "@parlance/server";
import "@parlance/tool-registry";
import "@parlance/transport-stdio";
