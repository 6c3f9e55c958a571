// Runs the worker in workerd and prints its URL.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { default: workerd } = createRequire(new URL("runtime/", import.meta.url))("workerd");
const args = ["serve", "worker.capnp", `--socket-addr=http=127.0.0.1:${process.env.PORT ?? 3000}`, "--control-fd=3"];
const child = spawn(workerd, args, { cwd: import.meta.dirname, stdio: ["ignore", "inherit", "inherit", "pipe"] });
process.once("SIGTERM", () => child.kill());
for await (const line of createInterface({ input: child.stdio[3] })) {
  const { event, socket, port } = JSON.parse(line);
  if (event === "listen" && socket === "http") console.log(`http://127.0.0.1:${port}/mcp`);
}
