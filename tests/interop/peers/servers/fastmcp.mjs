import { FastMCP } from "fastmcp";
import { info, inputs, progress, slow, stats } from "./tools.mjs";

const quiet = () => {};
const logger = { debug: quiet, error: quiet, info: quiet, log: quiet, warn: quiet };
const server = new FastMCP({ ...info, logger });
const add = (name, parameters, execute) => server.addTool({ name, description: name, parameters, execute });

add("echo", inputs.echo, async ({ text }) => text);
add("slow", inputs.slow, ({ ms }, { signal }) => slow(ms, signal));
add("progress", inputs.progress, ({ steps }, { reportProgress }) =>
  progress(steps, (done, total) => reportProgress({ progress: done, total })),
);
server.addTool({ name: "stats", description: "stats", execute: async () => stats() });

await server.start({ transportType: "stdio" });
