// How every server here is put behind HTTP: on a free port of loopback, printing its address, until it is told to end.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";

/** Whether that is asked for, and not stdio. */
export const isHttp = process.argv[2] === "http";

/** Whether the older HTTP+SSE is. */
export const isSse = process.argv[2] === "sse";

export function serveFetch(handle) {
  serveNode(getRequestListener(handle));
}

export function serveNode(listener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
  process.once("SIGTERM", () => process.exit());
}
