// A server as a route of Hono, on any platform that Hono runs on; here on Node.
import { serve } from "@hono/node-server";
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { anonymous, createHttpHandler, toFetch } from "@parlance/transport-http";
import { Hono } from "hono";

const hello = tool({ name: "hello", description: "Says hello", run: () => "Hello from Hono!" });
const server = createServer({ info: { name: "hono", version: "1.0.0" }, features: [createToolRegistry([hello])] });
const handler = createHttpHandler(server, { auth: anonymous() });

const app = new Hono();
// the request goes in unread and the answer out as it is, so that the handler's limits are the only ones
const answer = toFetch(handler);
app.all("/mcp", ({ req }) => answer(req.raw));

const http = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000) }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}/mcp`),
);
process.once("SIGTERM", () => {
  http.close();
  void Promise.all([server.close(), handler.close()]); // neither rejects
});
