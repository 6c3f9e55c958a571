import { memoryPair } from "@parlance/jsonrpc";
import { describe, expect, test } from "vitest";
import { openEnd } from "./inbox.js";
import { record } from "./recorder.js";
import { transportContract } from "./transport-contract.js";

describe("a recorded transport", () => {
  transportContract({
    test,
    open: () => {
      const [near, far] = memoryPair();
      return { near: record(near).transport, far };
    },
  });
});

test("frames are kept as they were, with what they say when they say something", async () => {
  const [near, far] = memoryPair();
  const { transport, frames } = record(near);
  const here = await openEnd(transport);
  const there = await openEnd(far);
  void here.channel.send('{"jsonrpc": "2.0", "method": "a"}');
  await there.inbox.received(1);
  void there.channel.send("no json");
  await here.inbox.received(1);
  expect(frames).toMatchObject([
    { direction: "sent", text: '{"jsonrpc": "2.0", "method": "a"}', message: { jsonrpc: "2.0", method: "a" } },
    { direction: "received", text: "no json", message: undefined },
  ]);
  await here.channel.close();
});
