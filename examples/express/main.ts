// A server as a route of an Express 5 app that parses JSON for all its routes.
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { toNodeListener } from "@parlance/transport-http/node";
import express from "express";

const hello = tool({ name: "hello", description: "Says hello", run: () => "Hello from Express!" });
const server = createServer({ info: { name: "express", version: "1.0.0" }, features: [createToolRegistry([hello])] });
const handler = createHttpHandler(server, { auth: anonymous() });

const app = express();
// what Express has parsed is taken over, so its limit is the one that counts; its own default is 100 KB
app.use(express.json({ limit: "4mb" }));
app.all("/mcp", toNodeListener(handler));

const http = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = http.address();
  if (typeof address === "object") console.log(`http://127.0.0.1:${address?.port}/mcp`);
});
process.once("SIGTERM", () => {
  http.close();
  void Promise.all([server.close(), handler.close()]); // neither rejects
});
