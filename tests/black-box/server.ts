// The server of the black-box programs: `node server.js stdio`. Everything is at its default.
import { setTimeout as wait } from "node:timers/promises";
import { jsonSchema } from "@parlance/json-schema";
import { connect } from "@parlance/jsonrpc";
import { createServer, handshake, stateless } from "@parlance/server";
import { type AnyTool, createToolRegistry, tool } from "@parlance/tool-registry";
import { stdio } from "@parlance/transport-stdio";
import { readEras } from "./era.js";

const counts = { started: 0, finished: 0, aborted: 0 };

const tools: readonly AnyTool[] = [
  tool({
    name: "echo",
    description: "Returns the text",
    input: jsonSchema<{ text: string }>({
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
    }),
    run: ({ text }) => text,
  }),
  tool({ name: "noargs", description: "Takes nothing", run: () => "ok" }),
  tool({
    name: "slow",
    description: "Waits, and counts how it ended",
    input: jsonSchema<{ ms: number; tag?: string }>({
      type: "object",
      properties: { ms: { type: "number" }, tag: { type: "string" } },
      required: ["ms"],
    }),
    run: async ({ ms, tag = "" }, { signal }) => {
      counts.started++;
      try {
        await wait(ms, undefined, { signal });
      } catch (error) {
        counts.aborted++;
        throw error;
      }
      counts.finished++;
      return `slept ${tag}`;
    },
  }),
  tool({
    name: "progress",
    description: "Reports progress, if the caller wants to hear it",
    input: jsonSchema<{ steps: number }>({
      type: "object",
      properties: { steps: { type: "integer" } },
      required: ["steps"],
    }),
    run: async ({ steps }, call) => {
      for (let step = 1; step <= steps; step++) await call.progress(step, steps);
      return "done";
    },
  }),
  tool({
    name: "stats",
    description: "Counts the slow calls of this process",
    run: () => JSON.stringify({ ...counts, polluted: Reflect.get({}, "polluted") !== undefined }),
  }),
];

const [transport] = process.argv.slice(2);
if (transport !== "stdio") {
  process.stderr.write(`transport "${transport ?? ""}" is not built yet; use: server.js stdio\n`);
  process.exit(1);
}

const server = createServer({
  info: { name: "black-box", version: "1.0.0" },
  features: [createToolRegistry(tools)],
  eras: readEras({ stateless, handshake }),
});
await connect(stdio(), server);
