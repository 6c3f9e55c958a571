import { batches, type Connection, type JsonObject, LocalError, RpcError } from "@parlance/jsonrpc";
import { describe, expect, test, vi } from "vitest";
import type { Feature } from "../feature.js";
import type { InputRequests } from "../model/input.js";
import {
  complete,
  exchangeOn,
  factsOf,
  never,
  refusal,
  request,
  serve,
  stateless,
  type TestExchange,
} from "../served.fixture.js";
import { statelessServer } from "../stateless/server.js";
import type { ProtocolVersion } from "../version.js";
import { maxRounds } from "./ask.js";
import { handshakeServer } from "./server.js";

const era = handshakeServer({ batches });
const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" } as const;
const call = request("tools/call", { name: "x", requestState: "theirs", inputResponses: { name: {} } });
const form = { message: "Name?", requestedSchema: { type: "object", properties: {} } };

type Answer = (method: string, params: JsonObject, signal: AbortSignal | undefined) => JsonObject | Promise<JsonObject>;

/** A session whose client answers questions, with what it was asked. */
async function session(
  answer: Answer,
  {
    capabilities = everything as JsonObject,
    version = "2025-11-25" as ProtocolVersion,
    ready = true,
    signal = never,
  } = {},
): Promise<TestExchange & { readonly asked: readonly JsonObject[] }> {
  const connection: Connection = { closed: never };
  const facts = factsOf([era]);
  const params = { protocolVersion: version, capabilities };
  await serve(era, request("initialize", params), facts, exchangeOn(connection));
  if (ready) {
    era.notice?.(initialized, connection, facts);
  }
  const asked: JsonObject[] = [];
  const exchange = exchangeOn(connection, {
    signal,
    request: async (method, params, options) => {
      asked.push({ method, params });
      return answer(method, params, options?.signal);
    },
  });
  return Object.assign(exchange, { asked });
}

function asking(inputRequests: InputRequests): Feature {
  return ({ inputResponses }) =>
    inputResponses === undefined
      ? { type: "input_required", inputRequests }
      : complete({ content: [], inputResponses });
}

const tool = (feature: Feature): ReturnType<typeof factsOf> => factsOf([era], { "tools/call": feature });

describe("a feature that asks", () => {
  test("LC-28: its questions go out on its request, and it runs again with the answers", async () => {
    const exchange = await session((method) => ({ from: method }));
    const feature = asking({
      name: { method: "elicitation/create", params: form },
      roots: { method: "roots/list" },
    });
    expect(await serve(era, call, tool(feature), exchange)).toEqual({
      content: [],
      inputResponses: { name: { from: "elicitation/create" }, roots: { from: "roots/list" } },
    });
    expect(exchange.asked).toEqual([
      { method: "elicitation/create", params: form },
      { method: "roots/list", params: {} },
    ]);
  });

  test("its state stays here: what a client sends as answers or state is not taken", async () => {
    const exchange = await session(() => ({ ok: true }));
    const seen: unknown[] = [];
    const feature: Feature = ({ inputResponses, requestState, params }) => {
      seen.push([inputResponses, requestState, params["name"]]);
      return requestState === "two"
        ? complete({ content: [] })
        : requestState === "one"
          ? { type: "input_required", requestState: "two" }
          : { type: "input_required", requestState: "one", inputRequests: { a: { method: "roots/list" } } };
    };
    await serve(era, call, tool(feature), exchange);
    expect(seen).toEqual([
      [undefined, undefined, "x"],
      [{ a: { ok: true } }, "one", "x"],
      [undefined, "two", "x"],
    ]);
  });

  test("a round keeps the call's signal, and progress only grows over all rounds", async () => {
    const controller = new AbortController();
    const exchange = await session(() => ({}), { signal: controller.signal });
    const signals: AbortSignal[] = [];
    const feature: Feature = async (round) => {
      signals.push(round.signal);
      await round.progress(1);
      await round.progress(signals.length);
      return asking({ a: { method: "roots/list" } })(round);
    };
    await serve(era, request("tools/call", { _meta: { progressToken: 0 } }), tool(feature), exchange);
    expect(signals).toEqual([controller.signal, controller.signal]);
    expect(exchange.sent.map(({ params }) => params["progress"])).toEqual([1, 2]);
  });

  test("it may ask eight times", async () => {
    const exchange = await session(() => ({}));
    let left = maxRounds;
    const feature: Feature = () =>
      left-- > 0
        ? { type: "input_required", inputRequests: { a: { method: "roots/list" } } }
        : complete({ content: [] });
    expect(await serve(era, call, tool(feature), exchange)).toEqual({ content: [] });
    expect(exchange.asked).toHaveLength(8);
    left = maxRounds + 1;
    const error = await refusal(era, call, tool(feature), exchange);
    expect(error).toMatchObject({ code: -32603 });
    expect(error.message).toContain("8 rounds");
    expect(exchange.asked).toHaveLength(16);
  });

  test("LC-10: it waits until the client said that it is initialized", async () => {
    const exchange = await session(() => ({}), { ready: false });
    const served = serve(era, call, tool(asking({ a: { method: "roots/list" } })), exchange);
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    expect(exchange.asked).toEqual([]);
    era.notice?.(initialized, exchange.connection, factsOf([era]));
    expect(await served).toMatchObject({ inputResponses: { a: {} } });
  });

  test("once the client is ready, nobody listens to its request any more", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const exchange = await session(() => ({}), { ready: false, signal });
    const served = serve(era, call, tool(asking({ a: { method: "roots/list" } })), exchange);
    expect(added).toHaveBeenCalledOnce();
    era.notice?.(initialized, exchange.connection, factsOf([era]));
    await served;
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  test("a caller that goes away meanwhile ends the wait", async () => {
    const controller = new AbortController();
    const exchange = await session(() => ({}), { ready: false, signal: controller.signal });
    const served = serve(era, call, tool(asking({ a: { method: "roots/list" } })), exchange);
    controller.abort(new LocalError("CLOSED", "gone"));
    await expect(served).rejects.toMatchObject({ code: "CLOSED" });
    expect(exchange.asked).toEqual([]);
  });
});

describe("what cannot be asked", () => {
  test("LC-14: what the client did not declare is refused, and nothing is sent", async () => {
    const cases: readonly [JsonObject, InputRequests, JsonObject][] = [
      [{}, { a: { method: "roots/list" } }, { roots: {} }],
      [{ roots: {} }, { a: { method: "roots/list" }, b: { method: "sampling/createMessage" } }, { sampling: {} }],
      [
        { elicitation: {} },
        { a: { method: "elicitation/create", params: { mode: "url" } } },
        { elicitation: { url: {} } },
      ],
      [
        { elicitation: { url: {} } },
        { a: { method: "elicitation/create", params: form } },
        { elicitation: { form: {} } },
      ],
      [
        { sampling: {} },
        { a: { method: "sampling/createMessage", params: { tools: [] } } },
        { sampling: { tools: {} } },
      ],
    ];
    for (const [capabilities, questions, requiredCapabilities] of cases) {
      const exchange = await session(() => expect.fail("asked"), { capabilities });
      const error = await refusal(era, call, tool(asking(questions)), exchange);
      expect(error).toMatchObject({ code: -32600, data: { requiredCapabilities } });
      expect(exchange.asked).toEqual([]);
    }
  });

  test("LC-15: what the session's revision does not have is not asked, though the client declared it", async () => {
    const questions = { a: { method: "elicitation/create", params: form } };
    for (const version of ["2025-03-26", "2024-11-05"] as const) {
      const exchange = await session(() => expect.fail("asked"), { version });
      expect(await refusal(era, call, tool(asking(questions)), exchange)).toMatchObject({ code: -32600 });
    }
    const exchange = await session(() => expect.fail("asked"), { version: "2025-06-18" });
    const page = {
      a: { method: "elicitation/create", params: { mode: "url", message: "m", url: "https://x.example" } },
    };
    expect(await refusal(era, call, tool(asking(page)), exchange)).toMatchObject({ code: -32600 });
  });

  test("T-3: capabilities that nobody knows are no reason to refuse", async () => {
    const exchange = await session(() => ({}), {
      capabilities: { progress: {}, cancellation: {}, tools: {}, roots: {} },
    });
    expect(await serve(era, call, tool(asking({ a: { method: "roots/list" } })), exchange)).toMatchObject({
      content: [],
    });
  });

  test("a connection that carries no questions is an error that says so", async () => {
    const { connection } = await session(() => ({}));
    const feature = asking({ a: { method: "roots/list" } });
    const error = await refusal(era, call, tool(feature), exchangeOn(connection));
    expect(error).toMatchObject({ code: -32600 });
    expect(error.message).toBe(
      "tools/call needs to ask the caller, which takes a session begun with initialize, whose client accepts event streams, or revision 2026-07-28",
    );
  });

  test("a server without questions() among its features asks nothing, in either era", async () => {
    const exchange = await session(() => expect.fail("asked"));
    const feature = asking({ a: { method: "roots/list" } });
    const without = factsOf([era], { "tools/call": feature }, {}, { features: [] });
    await expect(serve(era, call, without, exchange)).rejects.toThrow("put questions() among the features");
    const modern = serve(statelessServer(), stateless("tools/call"), without, exchange);
    await expect(modern).rejects.toThrow("put questions() among the features");
  });
});

describe("answers that are errors", () => {
  test("the client's error is not handed back as if it were about its own request", async () => {
    const exchange = await session(() => {
      throw new RpcError(-32601, "Method not found");
    });
    const error = await refusal(era, call, tool(asking({ a: { method: "roots/list" } })), exchange);
    expect(error).toMatchObject({ code: -32603, data: { code: -32601 } });
    expect(error.message).toContain("roots/list");
    expect(error.cause).toMatchObject({ code: -32601 });
  });

  test("the other questions are taken back", async () => {
    const reasons: unknown[] = [];
    const exchange = await session((method, _params, signal) => {
      if (method === "roots/list") {
        throw new RpcError(-1, "User rejected");
      }
      return new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      });
    });
    const questions = { form: { method: "elicitation/create", params: form }, roots: { method: "roots/list" } };
    const error = await refusal(era, call, tool(asking(questions)), exchange);
    expect(reasons).toEqual([error]);
  });
});

describe("how a question is put", () => {
  const put = async (version: ProtocolVersion, method: string, params: JsonObject): Promise<JsonObject> => {
    const exchange = await session(() => ({}), { version });
    await serve(era, call, tool(asking({ a: { method, params } })), exchange);
    return exchange.asked[0]?.["params"] as JsonObject;
  };

  test("LC-15: a form has no mode under 2025-06-18", async () => {
    const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", properties: {} };
    const params = { mode: "form", message: "m", requestedSchema: schema };
    expect(await put("2025-11-25", "elicitation/create", params)).toEqual(params);
    expect(await put("2025-06-18", "elicitation/create", params)).toEqual({
      message: "m",
      requestedSchema: { type: "object", properties: {} },
    });
  });

  test("a page gets the id that 2025-11-25 wants", async () => {
    const params = { mode: "url", message: "m", url: "https://x.example" };
    expect(await put("2025-11-25", "elicitation/create", params)).toEqual({
      ...params,
      elicitationId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  test("LC-15: a sampling message has one block before 2025-11-25", async () => {
    const text = { type: "text", text: "a", _meta: {} };
    const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
    const messages = [
      { role: "user", content: [text, audio], _meta: {} },
      { role: "assistant", content: text },
    ];
    const params = { messages, maxTokens: 9 };
    const split = [
      { role: "user", content: text },
      { role: "user", content: audio },
      { role: "assistant", content: text },
    ];
    expect(await put("2025-11-25", "sampling/createMessage", params)).toEqual(params);
    expect(await put("2025-06-18", "sampling/createMessage", params)).toEqual({ messages: split, maxTokens: 9 });
    const oldest = await put("2024-11-05", "sampling/createMessage", { ...params, includeContext: "thisServer" });
    const plain = { type: "text", text: "a" };
    expect(oldest).toEqual({
      messages: [
        { role: "user", content: plain },
        { role: "user", content: { type: "text", text: "[audio, audio/wav]" } },
        { role: "assistant", content: plain },
      ],
      maxTokens: 9,
      includeContext: "thisServer",
    });
  });
});
