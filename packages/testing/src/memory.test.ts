import { listTools } from "@parlance/client";
import type { FeatureSet } from "@parlance/protocol-versions";
import { createServer } from "@parlance/server";
import { expect, test } from "vitest";
import { connectInMemory } from "./memory.js";
import type { RecordedFrame } from "./recorder.js";

const info = { name: "words", version: "1.0.0" };
const words: FeatureSet = {
  capabilities: { tools: {} },
  methods: {
    "tools/list": () => ({ type: "complete", result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } }),
    "tools/call": async ({ params, caller }) => ({
      type: "complete",
      result: { content: [{ type: "text", text: `${params["name"]} for ${caller.info?.name}` }] },
    }),
  },
};

test.each([
  [{ era: "stateless" }, "stateless", "2026-07-28"],
  [{ era: "handshake" }, "handshake", "2025-11-25"],
  [{ era: "dual" }, "stateless", "2026-07-28"],
  [{}, "stateless", "2026-07-28"],
  [{ version: "2024-11-05" }, "handshake", "2024-11-05"],
  [{ version: "2026-07-28" }, "stateless", "2026-07-28"],
] as const)("with %o a client speaks %s, %s", async (options, era, version) => {
  const server = createServer({ info, features: [words] });
  const client = await connectInMemory(server, options);
  expect(client.server).toMatchObject({ era, version, info });
  expect(await listTools(client)).toEqual([{ name: "echo", inputSchema: { type: "object" } }]);
  expect(await client.callTool("echo")).toMatchObject({ content: [{ type: "text", text: "echo for test-client" }] });
  await client.close();
});

test("what crosses is recorded, seen from the client", async () => {
  const frames: RecordedFrame[] = [];
  const client = await connectInMemory(createServer({ info, features: [] }), { era: "handshake", frames });
  await client.ping();
  await client.close();
  expect(frames.map(({ direction, message }) => [direction, message && "method" in message && message.method])).toEqual(
    [
      ["sent", "initialize"],
      ["received", false],
      ["sent", "notifications/initialized"],
      ["sent", "ping"],
      ["received", false],
    ],
  );
});

test("closing the client leaves the server open to others", async () => {
  const server = createServer({ info, features: [words] });
  const [first, second] = await Promise.all([connectInMemory(server), connectInMemory(server)]);
  await first.close();
  expect(await listTools(second)).toHaveLength(1);
  await second.close();
  await server.close();
});

test("what is no server, and an era that is none, are refused", async () => {
  const server = createServer({ info, features: [words] });
  await expect(connectInMemory(words as never)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: "server answers no requests; make one of features: createServer({ info, features })",
  });
  await expect(connectInMemory(server, { era: "statless" as never })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: "era is statless, and should be stateless, handshake or dual",
  });
});
