import { jsonSchema } from "@parlance/json-schema";
import { batches, RpcError } from "@parlance/jsonrpc";
import {
  createPrompts,
  createResources,
  createServer,
  handshake,
  logging,
  paged,
  prompt,
  questions,
  resourceTemplate,
  type Server,
  stateless,
} from "@parlance/server";
import { createTasks, taskTool } from "@parlance/tasks/server";
import { clientWith, createToolRegistry, PublicError, type ToolRegistry, tool } from "@parlance/tool-registry";
import { prompts, readable } from "./contents.js";
import { questionTools } from "./questions.js";
import { createSeats } from "./seat.js";

export const secret = "the password is swordfish";
const icons = [{ src: "https://example.com/icon.png" }];

/** The server of every column: a tool for each thing that a behavior needs to see. `quit` ends the connection. */
export function createMatrixServer(quit: () => void): Server {
  const seats = createSeats();
  const counts = { aborted: 0, noticed: 0 };
  let listeners = 0;
  let unheard = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    unheard = resolve;
  });
  const note = resourceTemplate({ uriTemplate: "note://{name}", name: "note", read: ({ name }) => name });
  const resources = createResources([note, ...readable()], {
    pages: paged(2),
    watch: () => {
      listeners++;
      return () => {
        listeners--;
        unheard();
      };
    },
  });
  const taught = createPrompts(prompts, { pages: paged(2) });
  const tools: ToolRegistry = createToolRegistry([
    ...questionTools(),
    tool({
      name: "echo",
      description: "Returns the text",
      title: "Echo",
      icons,
      annotations: { readOnlyHint: true },
      meta: { "example.com/kind": "echo" },
      input: jsonSchema<{ text: string }>({
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
      }),
      run: ({ text }) => text,
    }),
    tool({
      name: "sum",
      description: "Returns an object",
      output: jsonSchema<{ sum: number }>({ type: "object", properties: { sum: { type: "number" } } }),
      run: () => ({ sum: 42 }),
    }),
    tool({
      name: "many",
      description: "Returns a list",
      output: jsonSchema<readonly number[]>({ type: "array", items: { type: "number" } }),
      run: () => [1, 2],
    }),
    tool({ name: "kinds", description: "Returns each kind of content", run: () => kinds }),
    tool({
      name: "fail",
      description: "Throws",
      run: () => {
        throw new Error(secret);
      },
    }),
    tool({
      name: "refuse",
      description: "Fails in a way that the caller may know",
      run: () => {
        throw new PublicError("not today");
      },
    }),
    tool({
      name: "protest",
      description: "Fails the call itself",
      run: () => {
        throw new RpcError(-31999, "protest", { data: { why: "principle" } });
      },
    }),
    taskTool({
      name: "toil",
      description: "May be a task",
      task: "optional",
      input: jsonSchema<{ asks?: boolean; waits?: boolean }>({
        type: "object",
        properties: { asks: { type: "boolean" }, waits: { type: "boolean" } },
      }),
      run: async ({ asks, waits }, call) => {
        await call.progress(1, 2, "half");
        if (waits) await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
        if (!asks) return "toiled";
        const { content } = await call.elicit("name", "For whom?", { name: { type: "string" } });
        return `toiled for ${content?.name}`;
      },
    }),
    tool({ name: "form", description: "Needs a form", needs: clientWith({ elicitation: {} }), run: () => "filled in" }),
    tool({
      name: "look",
      description: "Returns what the call came with",
      run: (_, { meta, version }) => ({ content: [{ type: "text", text: version }], _meta: { seen: meta } }),
    }),
    tool({
      name: "progress",
      description: "Reports two steps",
      run: async (_, call) => {
        await call.progress(1, 2, "half");
        await call.progress(2, 2, "all");
        return "done";
      },
    }),
    tool({
      name: "log",
      description: "Logs",
      run: async (_, call) => {
        await call.log("debug", "quiet");
        await call.log("error", "loud");
        return "logged";
      },
    }),
    tool({
      name: "hold",
      description: "Answers when it is released",
      input: named,
      run: ({ name }, call) =>
        new Promise<string>((resolve, reject) => {
          seats.get(name).take({ call, release: resolve });
          call.signal.addEventListener("abort", () => {
            counts.aborted++;
            reject(call.signal.reason);
            seats.get(name).leave();
          });
        }),
    }),
    tool({
      name: "held",
      description: "Answers when a call is held",
      input: named,
      run: async ({ name }) => {
        await seats.get(name).taken;
        return "held";
      },
    }),
    tool({
      name: "left",
      description: "Answers when a held call was aborted",
      input: named,
      run: async ({ name }) => {
        await seats.get(name).left;
        return "left";
      },
    }),
    tool({
      name: "nudge",
      description: "Has a held call report progress",
      input: jsonSchema<{ name: string; done: number }>({
        type: "object",
        properties: { name: { type: "string" }, done: { type: "number" } },
        required: ["name", "done"],
      }),
      run: async ({ name, done }) => {
        const { call } = await seats.get(name).taken;
        await call.progress(done);
        return "nudged";
      },
    }),
    tool({
      name: "release",
      description: "Has a held call answer with its name",
      input: named,
      run: async ({ name }) => {
        const { release } = await seats.get(name).taken;
        release(name);
        return "released";
      },
    }),
    tool({ name: "counts", description: "How much was aborted, and noticed", run: () => counts }),
    tool({
      name: "grow",
      description: "Adds a tool",
      run: () => {
        tools.add(tool({ name: "grown", description: "Was added", run: () => "grown" }));
        return "grew";
      },
    }),
    tool({
      name: "publish",
      description: "Adds a resource",
      run: () => {
        resources.add({ uri: "matrix://published", name: "published", read: () => "published" });
        return "published";
      },
    }),
    tool({
      name: "teach",
      description: "Adds a prompt",
      run: () => {
        taught.add(prompt({ name: "taught", get: () => "taught" }));
        return "taught";
      },
    }),
    tool({
      name: "touch",
      description: "Says that a note has changed",
      input: named,
      run: ({ name }) => {
        resources.updated(`note://${name}`);
        return "touched";
      },
    }),
    tool({ name: "listeners", description: "How many notes are listened to", run: () => String(listeners) }),
    tool({
      name: "unheard",
      description: "Answers when the last listener is gone",
      run: async () => {
        await left;
        return "gone";
      },
    }),
    tool({
      name: "quit",
      description: "Ends the connection, without an answer",
      run: () => {
        quit();
        return new Promise<string>(() => undefined);
      },
    }),
  ]);
  return createServer({
    info: { name: "matrix", version: "1.0.0", title: "Matrix", description: "All of it", websiteUrl: "https://x.test" },
    instructions: "Call anything",
    features: [tools, resources, taught, createTasks({ pollIntervalMs: 20 }), logging(), questions()],
    eras: [stateless(), handshake({ batches })],
    handlerMiddleware: [
      (next) => ({
        ...next,
        notification: (message, connection) => {
          if (message.method === "notifications/matrix") counts.noticed++;
          next.notification?.(message, connection);
        },
      }),
    ],
  });
}

const named = jsonSchema<{ name: string }>({
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
});

/** In the order in which the revisions brought them. */
const kinds = [
  { type: "text", text: "words", annotations: { priority: 1, lastModified: "2026-01-01T00:00:00Z" } },
  { type: "image", data: "aW1hZ2U=", mimeType: "image/png", _meta: { "example.com/of": "a thing" } },
  { type: "resource", resource: { uri: "file:///a", text: "in a file" } },
  { type: "audio", data: "YXVkaW8=", mimeType: "audio/wav" },
  { type: "resource_link", uri: "file:///b", name: "b", icons },
] as const;
