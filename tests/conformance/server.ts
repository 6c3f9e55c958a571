// The server that the official suite is run against: `node server.js PORT`. It does not watch its input.
import {
  changesOf,
  createPrompts,
  createResources,
  createServer,
  logging,
  questions,
  type Server,
} from "@parlance/server";
import { createTasks } from "@parlance/tasks/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import {
  anonymous,
  createHttpHandler,
  handshakeBinding,
  memoryEventStore,
  parameterHeaders,
  resumable,
  statelessBinding,
} from "@parlance/transport-http";
import { serve } from "@parlance/transport-http/node";
import { prompts, resources } from "./contents.js";
import { questionPrompts, questionTools } from "./questions.js";
import { taskTools } from "./task-tools.js";
import { tools } from "./tools.js";

const [port = "0"] = process.argv.slice(2);
const triggers = [
  tool({
    name: "test_trigger_tool_change",
    description: "Says that the tools have changed",
    run: () => {
      changesOf(server).tools();
      return "told";
    },
  }),
  tool({
    name: "test_trigger_prompt_change",
    description: "Says that the prompts have changed",
    run: () => {
      changesOf(server).prompts();
      return "told";
    },
  }),
];
const server: Server = createServer({
  info: { name: "parlance-conformance", version: "1.0.0" },
  features: [
    createToolRegistry([...tools, ...questionTools, ...triggers, ...taskTools], { headers: parameterHeaders }),
    createResources(resources, { watch: true }),
    createPrompts([...prompts, ...questionPrompts]),
    createTasks({ pollIntervalMs: 100 }),
    logging(),
    questions(),
  ],
});
const handler = createHttpHandler(server, {
  auth: anonymous(),
  bindings: [statelessBinding(), handshakeBinding({ events: resumable(memoryEventStore()) })],
});
const { url } = await serve(handler, { port: Number(port), server });
process.stderr.write(`listening at ${url}\n`);
