// A server for clients of every revision, on one URL: http://127.0.0.1:$PORT/mcp, until it is told to end.
import { createServer } from "@parlance/server";
import { tool, tools } from "@parlance/tool-registry";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { type Listening, serve } from "@parlance/transport-http/node";

const hello = tool({ name: "hello", description: "Says hello", run: () => "Hello over HTTP!" });
const server = createServer({
  info: { name: "http-server", version: "1.0.0" },
  features: [tools([hello])],
});
const handler = createHttpHandler(server, { auth: anonymous() });
export const listening: Listening = await serve(handler, { server, port: Number(process.env["PORT"] ?? 0) });
console.log(listening.url);
