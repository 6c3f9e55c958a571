import { jsonSchema } from "@parlance/json-schema";
import { RpcError } from "@parlance/jsonrpc";
import {
  createPrompts,
  createResources,
  createServer,
  logging,
  paged,
  prompt,
  questions,
  type Resources,
  resourceTemplate,
  type Server,
} from "@parlance/server";
import { createToolRegistry, type ToolRegistry, tool } from "@parlance/tool-registry";

/** A server that has all there is, with all members that a revision knows. */
export interface Origin {
  readonly server: Server;
  readonly tools: ToolRegistry;
  readonly resources: Resources;
  /** Settles when the tool `wait` was called off, with the reason. */
  readonly calledOff: Promise<unknown>;
  /** Settles when the tool `wait` runs. */
  readonly waits: Promise<void>;
  readonly watched: Set<string>;
}

export const icons = [{ src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48"] }];
export const meta = { "com.example/kept": { deep: [1] } };

export function createOrigin(): Origin {
  let callOff: (reason: unknown) => void = () => {};
  let begin = (): void => {};
  const calledOff = new Promise<unknown>((resolve) => {
    callOff = resolve;
  });
  const waits = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const watched = new Set<string>();
  const description = "A tool of the origin";
  const input = jsonSchema<{ readonly text?: string }>({
    type: "object",
    properties: { text: { type: "string" } },
    additionalProperties: true,
  });
  const tools = createToolRegistry(
    [
      tool({
        name: "rich",
        title: "Rich",
        description,
        icons,
        annotations: { readOnlyHint: true },
        meta,
        input,
        run: ({ text }, call) => ({
          content: [
            { type: "text", text: String(text), annotations: { priority: 1 }, _meta: meta },
            { type: "resource_link", uri: "note://a", name: "a", title: "A" },
            { type: "audio", data: "AAAA", mimeType: "audio/wav" },
          ],
          _meta: { ...meta, seen: call.meta["com.example/asked"] },
        }),
      }),
      tool({
        name: "steps",
        description,
        run: async (_, call) => {
          await call.progress(1, 2, "half");
          await call.log("info", "working");
          await call.progress(2, 2, "all");
          return "done";
        },
      }),
      tool({
        name: "wait",
        description,
        run: (_: unknown, call) => {
          begin();
          void call.progress(1);
          return new Promise<string>((_resolve, reject) => {
            call.signal.addEventListener("abort", () => {
              callOff(call.signal.reason);
              reject(call.signal.reason);
            });
          });
        },
      }),
      tool({
        name: "fail",
        description,
        run: () => {
          throw new RpcError(4242, "nope", { data: { retryAfter: [1] } });
        },
      }),
      tool({
        name: "ask",
        description,
        run: async (_: unknown, call) => {
          const { action, content } = await call.elicit("who", "Who are you?", { name: { type: "string" } });
          if (action !== "accept") return action;
          const said = await call.sample("said", {
            messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
            maxTokens: 5,
          });
          const [root] = await call.roots("roots");
          return `${content.name} ${said.model} ${root?.uri}`;
        },
      }),
    ],
    { pages: paged(2), cache: { ttlMs: 60_000, scope: "public" } },
  );
  const resources = createResources(
    [
      {
        uri: "note://a",
        name: "a",
        title: "A",
        icons,
        meta,
        annotations: { priority: 0.5 },
        mimeType: "text/plain",
        read: () => "A",
      },
      resourceTemplate({
        uriTemplate: "note://by/{id}",
        name: "by",
        read: ({ id }) => `by ${id}`,
        complete: { id: ["one", "two"] },
      }),
    ],
    {
      watch: (uri) => {
        watched.add(uri);
        return () => void watched.delete(uri);
      },
    },
  );
  const review = prompt({
    name: "review",
    title: "Review",
    icons,
    arguments: { style: { required: true, complete: ["terse", "kind"] } },
    get: ({ style }) => `Be ${style}`,
  });
  const server = createServer({
    info: { name: "origin", version: "1.0.0" },
    features: [tools, resources, createPrompts([review]), questions(), logging()],
  });
  return { server, tools, resources, calledOff, waits, watched };
}
