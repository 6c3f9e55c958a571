// A server in a worker thread, reached through a transport that is defined here.
import { MessageChannel, Worker } from "node:worker_threads";
import { connectClient } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { messagePort } from "./message-port.js";

const { port1, port2 } = new MessageChannel();
new Worker(new URL("worker.js", import.meta.url), { workerData: { port: port2 }, transferList: [port2] });

const client = await connectClient({
  dial: over(messagePort(port1)),
  info: { name: "main-thread", version: "1.0.0" },
});
console.log(await client.callTool("thread"));
await client.close();
