import { describe, expect, test } from "vitest";
import { travels } from "./brand.js";
import {
  AccessError,
  connect,
  createCalls,
  createRunning,
  LocalError,
  memoryPair,
  over,
  RpcError,
  serve,
} from "./index.js";
import type { Report } from "./report.js";

describe("serve", () => {
  test("answers, and asks nothing", async () => {
    const [near, far] = memoryPair();
    const reports: Report[] = [];
    const asks: unknown[] = [];
    const serving = await serve(
      far,
      {
        request: (_, { request }) => {
          asks.push(request);
          return {};
        },
      },
      { report: (report) => void reports.push(report) },
    );
    const peer = await over(near)({ request: () => ({}) });
    expect(await peer.request("x", {})).toEqual({});
    expect(asks).toEqual([undefined]);
    await peer.close();
    expect(serving.closed.aborted).toBe(true);
    expect(reports).toEqual([]);
  });

  test("asks where its handler brings the means", async () => {
    const [near, far] = memoryPair();
    await serve(far, { asking: createCalls, request: async (_, { request }) => request?.("question", {}) ?? {} });
    const peer = await over(near)({ request: ({ method }) => ({ method }) });
    expect(await peer.request("x", {})).toEqual({ method: "question" });
    await peer.close();
  });
});

describe("a dial", () => {
  test.each([
    ["hears that its request was cancelled where its handler brings the means", createRunning, true],
    ["lets every request run to its end where not", undefined, false],
  ])("%s", async (_, answering, cancelled) => {
    const [near, far] = memoryPair();
    const signals: AbortSignal[] = [];
    const peer = await over(near)({
      answering,
      request: ({ method }, { signal }) => {
        if (method === "ping") return {};
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    const server = await connect(far, { request: () => ({}) });
    const asking = new AbortController();
    const question = server.request("question", {}, { signal: asking.signal });
    asking.abort(new Error("enough"));
    await expect(question).rejects.toThrow("enough");
    await server.request("ping", {});
    expect(signals.map(({ aborted }) => aborted)).toEqual([cancelled]);
    await peer.close();
  });
});

test("an error that is meant for the other side is told by its brand", () => {
  class Own extends RpcError {}
  const meant = [new RpcError(1, "x"), new Own(1, "x"), new AccessError("RATE_LIMITED", "x")];
  expect(meant.map(travels)).toEqual([true, true, true]);
  expect([new LocalError("CLOSED", "x"), new Error("x"), undefined, "x", {}].map(travels)).toEqual(
    Array(5).fill(false),
  );
});
