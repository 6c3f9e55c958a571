// The yardstick over HTTP: what one writes in ten minutes on `node:http`.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { answer } from "./bare-answer.mjs";
import { serveBench } from "./http-bench.mjs";

const streams = process.env.BENCH_ANSWERS === "stream";
const events = { "content-type": "text/event-stream", "cache-control": "no-cache" };
const changed = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n\n`;
const sessions = new Set();
const listeners = new Set();

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, events).flushHeaders();
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
    return;
  }
  let text = "";
  request.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const message = JSON.parse(text);
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const head = {};
    if (message.method === "initialize") {
      head["mcp-session-id"] = randomUUID();
      sessions.add(head["mcp-session-id"]);
    }
    const session = request.headers["mcp-session-id"];
    if (session !== undefined && !sessions.has(session)) {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) });
    if (streams) response.writeHead(200, { ...head, ...events }).end(`event: message\ndata: ${body}\n\n`);
    else {
      head["content-type"] = "application/json";
      head["content-length"] = Buffer.byteLength(body);
      response.writeHead(200, head).end(body);
    }
  });
});
server.keepAliveTimeout = 75_000;
server.listen(0, "127.0.0.1", () => {
  serveBench(server.address().port, () => {
    for (const listener of listeners) listener.write(changed);
  });
});
