// Our server under the clients of others, with the tools that the servers of others have.
// Over stdio, or over HTTP when asked to with `http`: then it prints its address.
import { setTimeout as wait } from "node:timers/promises";
import { jsonSchema } from "@parlance/json-schema";
import { connect } from "@parlance/jsonrpc";
import { createPrompts, createResources, createServer, logging, prompt, questions } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import {
  anonymous,
  createHttpHandler,
  handshakeBinding,
  sseTransportBinding,
  statelessBinding,
} from "@parlance/transport-http";
import { serve } from "@parlance/transport-http/node";
import { stdio } from "@parlance/transport-stdio";

const stepMs = 50;
const counts = { started: 0, aborted: 0 };

function input<T>(name: string, type: "string" | "number") {
  return jsonSchema<T>({ type: "object", properties: { [name]: { type } }, required: [name] });
}

const tools = createToolRegistry([
  tool({
    name: "echo",
    description: "Returns the text",
    input: input<{ text: string }>("text", "string"),
    run: ({ text }) => text,
  }),
  tool({
    name: "slow",
    description: "Waits, and counts how often it was told to stop",
    input: input<{ ms: number }>("ms", "number"),
    run: async ({ ms }, { signal }) => {
      counts.started++;
      signal.addEventListener("abort", () => counts.aborted++);
      await wait(ms, undefined, { signal });
      return "slept";
    },
  }),
  tool({
    name: "progress",
    description: "Reports each of its steps",
    input: input<{ steps: number }>("steps", "number"),
    run: async ({ steps }, call) => {
      for (let step = 1; step <= steps; step++) {
        await wait(stepMs);
        await call.progress(step, steps);
      }
      return "done";
    },
  }),
  tool({
    name: "log",
    description: "Logs",
    run: async (_, call) => {
      await call.log("warning", "logged");
      return "done";
    },
  }),
  tool({
    name: "form",
    description: "Has a form filled in",
    run: async (_, call) =>
      (await call.elicit("form", "Who are you?", { name: { type: "string" } })).content ?? "nothing",
  }),
  tool({
    name: "page",
    description: "Has a page visited",
    run: async (_, call) => (await call.elicit("page", "Agree there", { url: "https://example.com/consent" })).action,
  }),
  tool({
    name: "model",
    description: "Has a model say something",
    run: async (_, call) => {
      const content = { type: "text", text: "Say something" } as const;
      const { content: said } = await call.sample("said", { messages: [{ role: "user", content }], maxTokens: 10 });
      return JSON.stringify(said);
    },
  }),
  tool({
    name: "roots",
    description: "Asks where it may work",
    run: async (_, call) => JSON.stringify(await call.roots("where")),
  }),
  tool({
    name: "touch",
    description: "Changes the note",
    run: () => {
      resources.updated("note://hello");
      return "touched";
    },
  }),
  tool({
    name: "stats",
    description: "Counts the slow calls, and says which revision this call came in",
    run: (_, { version }) => ({ ...counts, version }),
  }),
]);

const resources = createResources([{ uri: "note://hello", name: "note", read: () => "a note" }], { watch: true });
const prompts = createPrompts([
  prompt({
    name: "greet",
    arguments: { who: { required: true, complete: ["Ada", "Alan", "Grace"] } },
    get: ({ who }) => `Hello ${who}`,
  }),
]);

const server = createServer({
  info: { name: "interop", version: "1.0.0" },
  features: [tools, resources, prompts, logging(), questions()],
});
if (process.argv[2] === "http") {
  const bindings = [sseTransportBinding(), statelessBinding(), handshakeBinding()];
  const { url } = await serve(createHttpHandler(server, { auth: anonymous(), bindings }), { server });
  process.stdout.write(`${url}\n`);
} else await connect(stdio(), server);
