import { workerData } from "node:worker_threads";
import { serve } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { tool, tools } from "@parlance/tool-registry";
import { messagePort } from "./message-port.js";

const thread = tool({ name: "thread", description: "Says where it runs", run: () => "in a worker thread" });
const server = createServer({ info: { name: "worker", version: "1.0.0" }, features: [tools([thread])] });

await serve(messagePort(workerData.port), server);
