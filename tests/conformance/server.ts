// The server that the official suite is run against: `node server.js PORT`. It does not watch its input.
import { createServer, logging } from "@parlance/server";
import { createToolRegistry } from "@parlance/tool-registry";
import {
  anonymous,
  createHttpHandler,
  handshakeBinding,
  memoryEventStore,
  parameterHeaders,
  statelessBinding,
} from "@parlance/transport-http";
import { serve } from "@parlance/transport-http/node";
import { tools } from "./tools.js";

const [port = "0"] = process.argv.slice(2);
const server = createServer({
  info: { name: "parlance-conformance", version: "1.0.0" },
  features: [createToolRegistry(tools, { headers: parameterHeaders }), logging()],
});
const handler = createHttpHandler(server, {
  auth: anonymous(),
  bindings: [statelessBinding(), handshakeBinding({ events: memoryEventStore() })],
});
const { url } = await serve(handler, { port: Number(port), server });
process.stderr.write(`listening at ${url}\n`);
