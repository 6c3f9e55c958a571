import { setTimeout as wait } from "node:timers/promises";
import { jsonSchema } from "@parlance/json-schema";
import { createResources, createServer, resourceTemplate, type Server, type ServerOptions } from "@parlance/server";
import { type AnyTool, createToolRegistry, tool } from "@parlance/tool-registry";

/** The server of the black-box programs, with everything at its default but, perhaps, the eras. */
export function createBox(eras: ServerOptions["eras"]): Server {
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
        signal.addEventListener("abort", () => counts.aborted++, { once: true });
        await wait(ms, undefined, { signal });
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

  const tags = resourceTemplate({
    uriTemplate: "box:///tags{/id*}",
    name: "tags",
    description: "The tags in its URI, as a JSON array",
    mimeType: "application/json",
    read: ({ id = [] }) => JSON.stringify(id),
  });

  return createServer({
    info: { name: "black-box", version: "1.0.0" },
    features: [createToolRegistry(tools), createResources([tags])],
    eras,
  });
}
