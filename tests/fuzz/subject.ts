import { jsonSchema } from "@parlance/json-schema";
import { batches, RpcError } from "@parlance/jsonrpc";
import { handshakeVersions, type ProtocolVersion } from "@parlance/protocol-versions";
import { createServer, handshake, logging, type Server, stateless } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";

export const revisions: readonly ProtocolVersion[] = ["2026-07-28", ...handshakeVersions.all];

const text = jsonSchema<{ text: string }>({
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
});

/** A server of every revision, whose tools answer at once, later, with progress, with a failure or not at all. */
export function createSubject(): Server {
  const tools = createToolRegistry([
    tool({ name: "echo", description: "Answers at once", input: text, run: (args) => args.text }),
    tool({
      name: "later",
      description: "Answers later",
      input: text,
      run: async (args) => {
        await Promise.resolve();
        return args.text;
      },
    }),
    tool({
      name: "steps",
      description: "Tells what it has done, and logs",
      run: async (_, call) => {
        await call.progress(1, 2, "half");
        await call.log("warning", { half: true });
        await call.progress(2, 2, "all");
        return "done";
      },
    }),
    tool({
      name: "shape",
      description: "Answers with an object",
      output: jsonSchema<{ sum: number }>({ type: "object", properties: { sum: { type: "number" } } }),
      run: () => ({ sum: 1 }),
    }),
    tool({
      name: "fail",
      description: "Throws",
      run: () => {
        throw new Error("hidden");
      },
    }),
    tool({
      name: "protest",
      description: "Fails the call",
      run: async () => {
        throw new RpcError(-31_000, "no", { data: [null] });
      },
    }),
    tool({
      name: "hold",
      description: "Answers to an abort only",
      run: (_, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
    }),
  ]);
  return createServer({
    info: { name: "subject", version: "1.0.0" },
    features: [tools, logging()],
    eras: [stateless(), handshake({ batches })],
  });
}
