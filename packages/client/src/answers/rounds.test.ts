import type { JsonObject } from "@parlance/jsonrpc";
import { describe, expect, test, vi } from "vitest";
import { connectClient } from "../connect.js";
import type { Client, ClientOptions } from "../index.js";
import { answers, meta, oneRound, stateless } from "../index.js";
import {
  type Answers,
  createScriptedServer,
  ok,
  type Reaction,
  type ScriptedServer,
  statelessAnswers,
  type Wire,
} from "../scripted-server.fixture.js";
import { listTools } from "../tools.js";

const form = (properties: JsonObject = {}): JsonObject => ({
  method: "elicitation/create",
  params: { mode: "form", message: "Well?", requestedSchema: { type: "object", properties } },
});
const asks = (inputRequests: JsonObject | undefined, requestState?: string): Reaction =>
  ok({ resultType: "input_required", inputRequests, requestState });
const done = ok({ resultType: "complete", content: [] });

/** A server whose tool answers round by round, and a client on it. */
async function scripted(
  rounds: readonly Reaction[] | ((message: Wire) => Reaction | Promise<Reaction>),
  options: Partial<ClientOptions>,
): Promise<{ readonly client: Client; readonly server: ScriptedServer; readonly calls: () => readonly Wire[] }> {
  let round = 0;
  const react: Answers[string] =
    typeof rounds === "function" ? rounds : () => rounds[Math.min(round++, rounds.length - 1)] ?? done;
  const server = createScriptedServer({ ...statelessAnswers, "tools/call": react });
  const info = { name: "c", version: "1" };
  const client = await connectClient({ dial: server.dial, info, eras: [stateless()], ...options });
  return { client, server, calls: () => server.received.filter(({ method }) => method === "tools/call") };
}

const accepting = answers({ form: () => ({ action: "accept", content: {} }) });

describe("rounds that are driven", () => {
  test("MRTR-24 MRTR-26 MRTR-08: state is echoed exactly, the retry has a new id, the original params and bare answers", async () => {
    const state = `${"x".repeat(65_536)}é漢"\\\u2028\u0000=+/.`;
    const { client, calls } = await scripted([asks({ a: form() }, state), done], { answers: accepting });
    await client.callTool("t", { x: 1 }, { meta: meta({ "example.com/a": 1 }) });
    const [first, second] = calls();
    expect(second?.id).not.toBe(first?.id);
    expect(second?.params).toEqual({
      ...first?.params,
      _meta: { ...first?.params?._meta, progressToken: expect.anything() },
      requestState: state,
      inputResponses: { a: { action: "accept", content: {} } },
    });
    await client.close();
  });

  test("MRTR-25 MRTR-27: no state of an earlier round, and only the answers of the latest", async () => {
    const rounds = [asks({ a: form() }, "one"), asks({ b: form() }), asks({ c: form() }, "three"), done];
    const { client, calls } = await scripted(rounds, { answers: accepting });
    await client.callTool("t");
    const retries = calls().map(({ params }) => [
      params?.["requestState"],
      Object.keys(params?.["inputResponses"] ?? {}),
    ]);
    expect(retries).toEqual([
      [undefined, []],
      ["one", ["a"]],
      [undefined, ["b"]],
      ["three", ["c"]],
    ]);
    expect(calls()[2]?.params).not.toHaveProperty("requestState");
    await client.close();
  });

  test("MRTR-21: all answers are built, beside each other, before the retry", async () => {
    let waiting = 0;
    let bothWait = () => {};
    const both = new Promise<void>((resolve) => {
      bothWait = resolve;
    });
    const form1 = async () => {
      if (++waiting === 2) bothWait();
      await both;
      return { action: "decline" } as const;
    };
    const { client, calls } = await scripted([asks({ a: form(), b: form() }), done], {
      answers: answers({ form: form1 }),
    });
    await client.callTool("t");
    expect(calls()[1]?.params?.["inputResponses"]).toEqual({ a: { action: "decline" }, b: { action: "decline" } });
    await client.close();
  });

  test("MRTR-23: with state alone it retries without inputResponses, at once and then later each time", async () => {
    const { client, calls } = await scripted([asks(undefined, "s"), asks(undefined, "t"), done], {
      answers: answers({ roots: [] }, { delayMs: 1 }),
    });
    await client.callTool("t");
    expect(calls().map(({ params }) => params?.["requestState"])).toEqual([undefined, "s", "t"]);
    expect(calls()[1]?.params).not.toHaveProperty("inputResponses");
    await client.close();
  });

  test("MRTR-28: state and responses stay with their request, however many are under way", async () => {
    const { client, calls } = await scripted(
      ({ params }) => {
        const { name } = { ...(params?.["arguments"] as JsonObject | undefined) };
        if (params?.["requestState"] === undefined) return asks({ a: form() }, `state of ${name}`);
        return ok({ content: [{ type: "text", text: `${name}, ${params["requestState"]}` }] });
      },
      { answers: accepting },
    );
    const names = ["a", "b", "c"];
    const results = await Promise.all(names.map((name) => client.callTool("t", { name })));
    expect(results.map(({ content }) => content[0])).toEqual(
      names.map((name) => ({ type: "text", text: `${name}, state of ${name}` })),
    );
    await client.request("tools/call", { name: "t", arguments: { name: "later" } });
    expect(calls().at(-2)?.params).not.toHaveProperty("requestState");
    await client.close();
  });

  test("MRTR-29: rounds are bounded", async () => {
    const { client, calls } = await scripted([asks({ a: form() })], { answers: accepting });
    await expect(client.callTool("t")).rejects.toMatchObject({
      code: "BAD_REPLY",
      message: expect.stringContaining("10"),
    });
    expect(calls()).toHaveLength(11);
    await client.close();
  });

  test("MRTR-29: so are the questions of a round, before anybody sees one", async () => {
    const shown = vi.fn(() => ({ action: "decline" }) as const);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, form()]));
    const { client } = await scripted([asks(many), done], { answers: answers({ form: shown }) });
    await expect(client.callTool("t")).rejects.toMatchObject({
      code: "BAD_REPLY",
      message: expect.stringContaining("101 questions are open at a time; the limit is 100"),
    });
    expect(shown).not.toHaveBeenCalled();
    const patient = await scripted([asks(many), done], { answers: answers({ form: shown }, { maxQuestions: 101 }) });
    await patient.client.callTool("t");
    expect(shown).toHaveBeenCalledTimes(101);
  });

  test("an answer that does not fit is cancelled, and reported; a default that does not fit is none", async () => {
    const reports: unknown[] = [];
    const fields = { age: { type: "integer", default: "old" }, name: { type: "string", default: "Ada" } };
    const given: JsonObject[] = [{}, { age: "old" }];
    const asked = vi.fn(() => ({ action: "accept", content: given.shift() }) as never);
    const { client, calls } = await scripted([asks({ a: form(fields) }), asks({ a: form(fields) }), done], {
      answers: answers({ form: asked }),
      report: (report) => reports.push(report),
    });
    await client.callTool("t");
    expect(asked).toHaveBeenCalledWith(expect.objectContaining({ defaults: { name: "Ada" } }), expect.anything());
    expect(calls().map(({ params }) => params?.["inputResponses"])).toEqual([
      undefined,
      { a: { action: "accept", content: { name: "Ada" } } },
      { a: { action: "cancel" } },
    ]);
    expect(reports).toMatchObject([{ kind: "callback_failed", error: { code: -32603 } }]);
  });

  test("MRTR-29 ELI-23: so is the time in all, and an abort ends a request between rounds", async () => {
    const { client } = await scripted([asks(undefined, "s")], { answers: answers({ roots: [] }, { delayMs: 1 }) });
    await expect(client.callTool("t", {}, { timeoutMs: 20, maxTotalMs: 30 })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
    await client.close();
    const stop = new AbortController();
    const hanging = answers({
      form: (_, { signal }) => {
        queueMicrotask(() => stop.abort(new Error("enough")));
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    const other = await scripted([asks({ a: form() })], { answers: hanging });
    await expect(other.client.callTool("t", {}, { signal: stop.signal })).rejects.toThrow("enough");
    expect(other.calls()).toHaveLength(1);
    await other.client.close();
  });

  test("MRTR-30: the retry keeps the log level, and has a fresh progress token", async () => {
    const { client, calls } = await scripted([asks({ a: form() }), done], { answers: accepting });
    await client.callTool("t", {}, { logLevel: "info", onProgress: () => {} });
    const [first, second] = calls().map(({ params }) => params?._meta);
    expect(second).toMatchObject({ "io.modelcontextprotocol/logLevel": "info" });
    expect(second?.["progressToken"]).not.toBe(first?.["progressToken"]);
    await client.close();
  });

  test("the time that a user takes is not the server's", async () => {
    vi.useFakeTimers();
    try {
      const slow = answers({ form: () => new Promise((resolve) => setTimeout(resolve, 50_000, { action: "cancel" })) });
      const { client } = await scripted([asks({ a: form() }), done], { answers: slow });
      const called = client.callTool("t", {}, { timeoutMs: 1_000 });
      await vi.advanceTimersByTimeAsync(51_000);
      expect(await called).toMatchObject({ content: [] });
      await client.close();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("what cannot be answered", () => {
  test("MRTR-22: an elicitation without an answer is cancelled", async () => {
    const report = vi.fn();
    const failing = answers({
      form: () => {
        throw new Error("no screen");
      },
    });
    for (const given of [failing, answers({ roots: [] })]) {
      const { client, calls } = await scripted([asks({ a: form() }), done], { answers: given, report });
      await client.callTool("t");
      expect(calls()[1]?.params?.["inputResponses"]).toEqual({ a: { action: "cancel" } });
      await client.close();
    }
    expect(report.mock.calls).toEqual([[{ kind: "callback_failed", error: new Error("no screen") }]]);
  });

  test("MRTR-22 SAM-19: sampling and roots have no error form: the client stops and rejects the call", async () => {
    const params = { messages: [], maxTokens: 1 };
    const refusing = answers({ sample: () => undefined });
    for (const [question, given] of [
      [{ method: "sampling/createMessage", params }, refusing],
      [{ method: "sampling/createMessage", params }, accepting],
      [{ method: "roots/list" }, accepting],
      [{ method: "x/unknown" }, accepting],
    ] as const) {
      const { client, calls } = await scripted([asks({ a: question, b: form() })], { answers: given });
      await expect(client.callTool("t")).rejects.toMatchObject({
        code: "UNSUPPORTED",
        details: { method: question.method },
      });
      expect(calls()).toHaveLength(1);
      await client.close();
    }
  });

  test.each([
    ["without questions and state", {}],
    ["whose questions are no requests", { inputRequests: { a: 1 } }],
    ["whose questions are a list", { inputRequests: [] }],
    ["whose state is no string", { requestState: 1 }],
  ])("MRTR-05: a question is invalid, and not retried, %s", async (_, members) => {
    const { client, calls } = await scripted([ok({ resultType: "input_required", ...members })], {
      answers: accepting,
    });
    await expect(client.callTool("t")).rejects.toMatchObject({ code: "BAD_REPLY" });
    await expect(oneRound(client, "tools/call", { name: "t" })).rejects.toMatchObject({ code: "BAD_REPLY" });
    expect(calls()).toHaveLength(2);
    await client.close();
  });

  test("MRTR-03: a question of a method that may not ask is invalid", async () => {
    const other = createScriptedServer({ ...statelessAnswers, "tools/list": asks({ a: form() }) });
    const client = await connectClient({ dial: other.dial, info: { name: "c", version: "1" }, answers: accepting });
    await expect(listTools(client)).rejects.toMatchObject({ code: "BAD_REPLY" });
    await client.close();
    expect(other.last.closed).toBe(true);
  });

  test("ROOT-09 MRTR-07: a question may have no params, or more members than it should", async () => {
    const question = { method: "roots/list", jsonrpc: "2.0", id: 7 };
    const { client, calls } = await scripted([asks({ r: question }), done], {
      answers: answers({ roots: [{ uri: "file:///a", name: "A" }] }),
    });
    await client.callTool("t");
    expect(calls()[1]?.params?.["inputResponses"]).toEqual({ r: { roots: [{ uri: "file:///a", name: "A" }] } });
    await client.close();
  });
});

test("rounds may be made by hand", async () => {
  const { client, calls } = await scripted([asks({ a: form() }, "s"), done], { answers: accepting });
  const first = await oneRound(client, "tools/call", { name: "t" });
  expect(first).toEqual({ type: "input_required", inputRequests: { a: form() }, requestState: "s" });
  const inputResponses = { a: { action: "decline" } };
  const last = await oneRound(client, "tools/call", { name: "t" }, { inputResponses, requestState: "s" });
  expect(last).toMatchObject({ type: "complete", result: { content: [] } });
  expect(calls()[1]?.params).toMatchObject({ inputResponses, requestState: "s" });
  await client.close();
});

test("ELI-01 SAM-01 SAM-02 ROOT-01 ROOT-04: what has a handler is declared on each request, and nothing else", async () => {
  const declared = async (given: Parameters<typeof answers>[0]): Promise<unknown> => {
    const { client, calls } = await scripted([done], { answers: answers(given) });
    await client.callTool("t");
    await client.close();
    return calls()[0]?.params?._meta?.["io.modelcontextprotocol/clientCapabilities"];
  };
  const [form1, url, sample] = [() => ({ action: "cancel" }) as const, () => "cancel" as const, () => undefined];
  expect(await declared({ form: form1 })).toEqual({ elicitation: { form: {} } });
  expect(await declared({ url, sample })).toEqual({ elicitation: { url: {} }, sampling: {} });
  expect(await declared({ sample, sampling: { tools: true, context: true }, roots: [] })).toEqual({
    sampling: { tools: {}, context: {} },
    roots: {},
  });
});

test("ELI-02: answers without a handler are refused", () => {
  expect(() => answers({})).toThrow("one handler or more");
});
