// A server with one tool.
import { connect } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { stdio } from "@parlance/transport-stdio";

const time = tool({ name: "time", description: "Tells the time", run: () => new Date().toISOString() });
const features = [createToolRegistry([time])];
await connect(stdio(), createServer({ info: { name: "clock", version: "1.0.0" }, features }));
