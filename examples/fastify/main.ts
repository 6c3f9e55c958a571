// A server as a route of a Fastify 5 app, which parses every body that it knows how to.
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { toNodeListener } from "@parlance/transport-http/node";
import { fastify } from "fastify";

const hello = tool({ name: "hello", description: "Says hello", run: () => "Hello from Fastify!" });
const server = createServer({ info: { name: "fastify", version: "1.0.0" }, features: [createToolRegistry([hello])] });
const handler = createHttpHandler(server, { auth: anonymous() });
const listener = toNodeListener(handler);

const app = fastify({ forceCloseConnections: "idle" });
// what Fastify has parsed is taken over, so its limit is the one that counts; its own default is 1 MiB
app.all("/mcp", { bodyLimit: 4 * 1024 * 1024 }, ({ raw, body }, reply) => {
  reply.hijack();
  listener(Object.assign(raw, { body }), reply.raw);
});

console.log(`${await app.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" })}/mcp`);
process.once("SIGTERM", () => {
  void Promise.all([app.close(), server.close(), handler.close()]); // none rejects
});
