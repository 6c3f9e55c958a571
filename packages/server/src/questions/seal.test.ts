import type { JsonObject } from "@parlance/jsonrpc";
import { describe, expect, test, vi } from "vitest";
import { memoryUsedStates, type QuestionsOptions } from "../index.js";
import { askingServer, type Reply, round, session, type Tool } from "./asking.fixture.js";

const work = vi.fn(() => "secret");
const tools: readonly Tool[] = ["one", "two"].map((name) => ({
  name,
  run: async (call) => {
    const value = await call.once("work", work);
    const { action } = await call.elicit("sure", "Sure?", { sure: { type: "boolean" } });
    return `${value} ${action}`;
  },
}));

const answered: JsonObject = { inputResponses: { sure: { action: "accept", content: { sure: true } } } };
const ada = { id: "ada", scopes: [] };
const args = { name: "one", arguments: { a: 1, b: { c: [1], d: 2 } } };
const refused = { error: { code: -32602, message: "requestState does not open for this request; make the call anew" } };

/** A server, the state of a first round, and what a second comes to. */
async function begun(options?: QuestionsOptions, onError?: (error: unknown) => void) {
  const server = askingServer(tools, options, onError);
  const first = await round(server, args, { principal: ada });
  const requestState: string = first.result.requestState;
  const again = (change: JsonObject = {}, principal: typeof ada | undefined = ada): Promise<Reply> =>
    round(server, { ...args, requestState, ...answered, ...change }, { principal });
  return { requestState, again };
}

describe("state that travels", () => {
  test("MRTR-11: state that was changed by a bit, cut off, or made up is rejected, without a word why", async () => {
    const { requestState, again } = await begun();
    expect(requestState).not.toContain("secret");
    const middle = Math.floor(requestState.length / 2);
    const flipped = requestState[middle] === "A" ? "B" : "A";
    const wrong = [
      requestState.slice(0, middle) + flipped + requestState.slice(middle + 1),
      requestState.slice(0, -1),
      `${requestState}-TAMPERED`,
      `${requestState}.x`,
      requestState.toUpperCase(),
      requestState.slice(9),
      `${requestState}=`,
      JSON.stringify({ answers: {}, once: { work: ["mine"] } }),
      "",
      ".",
      "é",
    ];
    for (const state of wrong) expect([state, await again({ requestState: state })]).toMatchObject([state, refused]);
    expect(await again()).toMatchObject({ result: { content: [{ text: "secret accept" }] } });
  });

  test("state that is too long to come back is told to the server, before its caller is asked", async () => {
    const onError = vi.fn();
    const run: Tool["run"] = async (call) => {
      await call.once("work", () => "x".repeat(1_000_000));
      return (await call.roots("r")).join();
    };
    const { error } = await round(askingServer([{ name: "x", run }], {}, onError), { name: "x" });
    expect(error).toMatchObject({ code: -32603, message: "Internal error" });
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("MRTR-14 ELI-37: state of another user, tool, arguments or time is rejected", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { again } = await begun({ stateTtlMs: 1_000 });
      expect(await again({}, { id: "eve", scopes: [] })).toMatchObject(refused);
      expect(await again({ name: "two" })).toMatchObject(refused);
      expect(await again({ arguments: { a: 2, b: { c: [1], d: 2 } } })).toMatchObject(refused);
      expect(await again({ arguments: { b: { d: 2, c: [1] }, a: 1 } })).toMatchObject({ result: { content: [{}] } });
      vi.advanceTimersByTime(1_001);
      expect(await again()).toMatchObject(refused);
    } finally {
      vi.useRealTimers();
    }
  });

  test("MRTR-12: keys rotate: the first seals, all open, and one that is gone does not", async () => {
    const [old, young] = ["an old key of thirty-two characters", "a new key of thirty-two characters!"];
    const { requestState } = await begun({ stateKeys: [old] });
    const onError = vi.fn();
    const both = await begun({ stateKeys: [young, old] });
    expect(await both.again({ requestState })).toMatchObject({ result: { content: [{}] } });
    const without = await begun({ stateKeys: [young] }, onError);
    expect(await without.again({ requestState })).toMatchObject(refused);
    expect(String(onError.mock.calls[0]?.[0])).toContain("stateKeys has no key of that id");
    expect(await without.again({ requestState: both.requestState })).toMatchObject({ result: { content: [{}] } });
  });

  test("several processes without a common key: the option is named to the server, not to the caller", async () => {
    const { requestState } = await begun();
    const onError = vi.fn();
    const other = await begun({}, onError);
    expect(await other.again({ requestState })).toMatchObject(refused);
    expect(String(onError.mock.calls[0]?.[0])).toContain("questions({ stateKeys: [key] })");
  });

  test("a key that is too short is refused, and not shown", async () => {
    for (const key of ["short", new Uint8Array(16)]) {
      expect(() => askingServer(tools, { stateKeys: [key] })).toThrow("stateKeys[0] should be 32 random bytes or more");
    }
    expect(() => askingServer(tools, { stateKeys: [] })).toThrow("stateKeys should be a list");
    const { again } = await begun({ stateKeys: [new Uint8Array(32).fill(7)] });
    expect(await again()).toMatchObject({ result: { content: [{}] } });
  });

  test("MRTR-15: with a store each state is good once", async () => {
    const { again } = await begun({ used: memoryUsedStates() });
    expect(await again()).toMatchObject({ result: { content: [{}] } });
    expect(await again()).toMatchObject(refused);
  });

  test("MRTR-13: it is left unsealed only on request, and must be state then too", async () => {
    const { requestState, again } = await begun({ stateKeys: "unsealed" });
    expect(JSON.parse(requestState)).toEqual({ answers: {}, once: { work: ["secret"] } });
    expect(await again({ requestState: "{}" })).toMatchObject({ error: { code: -32602 } });
    expect(await again()).toMatchObject({ result: { content: [{}] } });
  });
});

describe("what is asked", () => {
  const asking = (ask: Tool["run"]): Tool => ({ name: "one", run: ask });
  const failing = async (ask: Tool["run"]): Promise<string> => {
    const onError = vi.fn();
    await round(askingServer([asking(ask)], {}, onError), { name: "one" });
    return String(onError.mock.calls[0]?.[0]);
  };

  test("ELI-18: a form never asks for secrets", async () => {
    for (const name of ["password", "newPassword", "api_key", "accessToken", "token", "cardNumber", "CVV"]) {
      const error = await failing(async (call) => (await call.elicit("k", "?", { [name]: { type: "string" } })).action);
      expect(error).toContain("a form must not ask for secrets");
    }
    expect(await failing(async (call) => String(await call.elicit("k", "?", { tokens: { type: "integer" } })))).toBe(
      "undefined",
    );
  });

  test("ELI-09: a form is one flat object of primitives and choices", async () => {
    for (const type of ["object", "array", "null"]) {
      const form = { field: { type } } as never;
      expect(await failing(async (call) => String(await call.elicit("k", "?", form)))).toContain("a form is flat");
    }
  });

  test("ELI-20 ELI-36: a page has a valid URL, https: unless it is on this machine", async () => {
    for (const url of ["http://x.example", "ftp://x.example", "nowhere", ""]) {
      expect(await failing(async (call) => (await call.elicit("k", "?", { url })).action)).toContain("an https: URL");
    }
    const page = asking(async (call) => (await call.elicit("k", "Go", { url: "https://x.example/a" })).action);
    const { result } = await round(askingServer([page]), { name: "one" });
    const params = { mode: "url", message: "Go", url: "https://x.example/a" };
    expect(result.inputRequests.k).toEqual({ method: "elicitation/create", params });
  });

  test("ELI-21: elicitationId only in sessions of 2025-11-25", async () => {
    const page = askingServer([
      asking(async (call) => (await call.elicit("k", "Go", { url: "https://x.example/" })).action),
    ]);
    const asked: JsonObject[] = [];
    await session(page, { name: "one" }, (_, params) => {
      asked.push(params);
      return { action: "accept" };
    });
    expect(asked[0]).toHaveProperty("elicitationId");
    expect((await round(page, { name: "one" })).result.inputRequests.k.params).not.toHaveProperty("elicitationId");
  });

  test("ELI-22: a caller that is back before the user is put off, with state alone, and never failed", async () => {
    let finish = (): void => {};
    const signedIn = new Promise<void>((resolve) => {
      finish = resolve;
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const server = askingServer([
        asking(
          async (call) => (await call.elicit("k", "Go", { url: "https://x.example/", done: () => signedIn })).action,
        ),
      ]);
      const waiting = round(server, { name: "one", inputResponses: { k: { action: "accept" } } });
      await vi.advanceTimersByTimeAsync(20_000);
      const { result } = await waiting;
      expect(result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
      expect(result).not.toHaveProperty("inputRequests");
      finish();
      const done = await round(server, { name: "one", requestState: result.requestState });
      expect(done.result.content[0].text).toBe("accept");
    } finally {
      vi.useRealTimers();
    }
  });

  test("ELI-06 ELI-08 ELI-11: under 2025-06-18 no mode, titles beside names, and defaults of yes or no alone", async () => {
    const server = askingServer([
      asking(async (call) => {
        const fields = {
          size: { type: "string", oneOf: [{ const: "s", title: "Small" }], default: "s" },
          gift: { type: "boolean", default: true },
        } as const;
        return (await call.elicit("k", "Well?", fields)).action;
      }),
    ]);
    const asked: JsonObject[] = [];
    const decline = (_: string, params: JsonObject): JsonObject => {
      asked.push(params);
      return { action: "decline" };
    };
    await session(server, { name: "one" }, decline, "2025-06-18");
    expect(asked[0]).toEqual({
      message: "Well?",
      requestedSchema: {
        type: "object",
        properties: {
          size: { type: "string", enum: ["s"], enumNames: ["Small"] },
          gift: { type: "boolean", default: true },
        },
        required: ["size", "gift"],
      },
    });
    await session(server, { name: "one" }, decline);
    expect(asked[1]).toMatchObject({
      mode: "form",
      requestedSchema: { properties: { size: { oneOf: [{ const: "s" }] } } },
    });
    const some = { some: { type: "array", items: { type: "string", enum: ["a"] } } } as const;
    const several = askingServer([asking(async (call) => (await call.elicit("k", "?", some)).action)]);
    const { error } = await session(several, { name: "one" }, decline, "2025-06-18");
    expect(error).toMatchObject({ code: -32600, message: expect.stringContaining("2025-11-25 does") });
  });

  test("SAM-03 SAM-05: tools and context only for a client that declared them", async () => {
    const messages = [{ role: "user", content: { type: "text", text: "Hi" } }] as const;
    for (const [more, sub] of [
      [{ tools: [] }, { tools: {} }],
      [{ toolChoice: { mode: "auto" } }, { tools: {} }],
      [{ includeContext: "thisServer" }, { context: {} }],
    ] as const) {
      const server = askingServer([
        asking(async (call) => (await call.sample("k", { messages, maxTokens: 1, ...more })).model),
      ]);
      const { error } = await round(server, { name: "one" }, { capabilities: { sampling: {} } });
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: sub } } });
      expect((await round(server, { name: "one" })).result.resultType).toBe("input_required");
    }
  });

  test("SAM-24 ROOT-06: what a model or a client answers is validated", async () => {
    const messages = [{ role: "user", content: { type: "text", text: "Hi" } }] as const;
    const sampling = askingServer([asking(async (call) => (await call.sample("k", { messages, maxTokens: 1 })).model)]);
    for (const k of [{}, { role: "assistant", model: "m" }, { role: "robot", model: "m", content: { type: "text" } }]) {
      expect((await round(sampling, { name: "one", inputResponses: { k } })).error).toMatchObject({ code: -32602 });
    }
    const several = { role: "assistant", model: "m", content: [{ type: "text", text: "a" }] };
    expect((await round(sampling, { name: "one", inputResponses: { k: several } })).result.content[0].text).toBe("m");
    const rooted = askingServer([asking(async (call) => String((await call.roots("k")).length))]);
    for (const k of [{}, { roots: {} }, { roots: [{ uri: "https://x.example" }] }]) {
      expect((await round(rooted, { name: "one", inputResponses: { k } })).error).toMatchObject({ code: -32602 });
    }
  });
});
