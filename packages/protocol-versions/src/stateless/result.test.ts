import { answer, RpcError } from "@parlance/jsonrpc";
import { describe, expect, test } from "vitest";
import type { CacheHint, Feature, Outcome } from "../feature.js";
import { complete, exchangeOn, factsOf, handlerOf, refusal, serve, stateless } from "../served.fixture.js";
import { statelessServer } from "./server.js";

const era = statelessServer();
const info = { name: "Telaria MCP", version: "1.0.0" };
const serverInfo = { "io.modelcontextprotocol/serverInfo": info };
const cacheable = [
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
];

function serving(outcome: Outcome, methods: readonly string[] = ["tools/call"]): ReturnType<typeof factsOf> {
  const feature: Feature = () => outcome;
  return factsOf([era], Object.fromEntries(methods.map((method) => [method, feature])));
}

describe("members that every result gets", () => {
  const outcomes: readonly [string, Outcome, string][] = [
    ["an empty one", complete({}), "complete"],
    ["one with members", complete({ content: [{ type: "text", text: "{}" }] }), "complete"],
    ["one with _meta", complete({ content: [], _meta: { "com.example/x": 1 } }), "complete"],
    ["one that names another type", complete({ resultType: "banana" }), "complete"],
    ["a question", { type: "input_required", requestState: "s" }, "input_required"],
    ["an extension's", { type: "extended", resultType: "task", result: { taskId: "1" } }, "task"],
  ];

  test.each(outcomes)(
    "RES-01, META-10, BUG-176: resultType and the server's identity: %s",
    async (_, outcome, resultType) => {
      const result = await serve(era, stateless("tools/call"), serving(outcome));
      expect(result).toMatchObject({ resultType, _meta: serverInfo });
      expect(result).toMatchObject("result" in outcome ? { ...outcome.result, resultType } : {});
    },
  );

  test("what is added is valid JSON around any text", async () => {
    const odd = { text: '"}],{"\u2028\n', nested: { "": [null, 0, false, ""] } };
    const text = await answer(handlerOf([era], serving(complete(odd))), JSON.stringify(stateless("tools/call")));
    expect(JSON.parse(text ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { resultType: "complete", _meta: serverInfo, ...odd },
    });
  });

  test.each([[], "text", null, undefined, 7])("JR-10: a result that is no object fails here: %j", async (result) => {
    const facts = serving(complete(result as never));
    await expect(async () => era.serve(stateless("tools/call"), exchangeOn(), facts)).rejects.toThrow();
    const text = await answer(handlerOf([era], facts), JSON.stringify(stateless("tools/call")));
    expect(JSON.parse(text ?? "")).toMatchObject({ error: { code: -32603 } });
  });
});

describe("how long a result may be kept", () => {
  const methods = cacheable.slice(1);

  test.each(cacheable)("RES-07, RES-10: %s says it, and by default not at all", async (method) => {
    expect(await serve(era, stateless(method), serving(complete({}), methods))).toMatchObject({
      ttlMs: 0,
      cacheScope: "private",
    });
  });

  test("what a feature says goes out, and only on methods that may say it", async () => {
    const cache: CacheHint = { ttlMs: 60_000, scope: "public" };
    const facts = serving({ type: "complete", result: {}, cache }, ["tools/list", "tools/call"]);
    expect(await serve(era, stateless("tools/list"), facts)).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
    expect(await serve(era, stateless("tools/call"), facts)).not.toHaveProperty("ttlMs");
  });

  test("RES-07: how the server introduces itself may be kept for as long as its author says", async () => {
    const cached = statelessServer({ cache: { ttlMs: 60_000, scope: "public" } });
    expect(await serve(cached, stateless("server/discover"), factsOf([cached], {}))).toMatchObject({
      ttlMs: 60_000,
      cacheScope: "public",
    });
  });

  test("RES-27: a ttlMs that would never end becomes a year", async () => {
    const facts = serving({ type: "complete", result: {}, cache: { ttlMs: 1e15, scope: "public" } }, methods);
    expect(await serve(era, stateless("tools/list"), facts)).toMatchObject({ ttlMs: 31_536_000_000 });
  });

  test.each([-5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "9"])("RES-08: a ttlMs of %s becomes 0", async (ttlMs) => {
    const facts = serving({ type: "complete", result: {}, cache: { ttlMs: ttlMs as never, scope: "public" } }, methods);
    expect(await serve(era, stateless("tools/list"), facts)).toMatchObject({ ttlMs: 0, cacheScope: "public" });
  });

  test("RES-09: a scope that is none becomes private", async () => {
    const facts = serving({ type: "complete", result: {}, cache: { ttlMs: 1, scope: "all" as never } }, methods);
    expect(await serve(era, stateless("tools/list"), facts)).toMatchObject({ ttlMs: 1, cacheScope: "private" });
  });

  test("RES-08, RES-09: hints that a result carries itself do not go out unchecked", async () => {
    const facts = serving(complete({ ttlMs: -1, cacheScope: "all" }), methods);
    expect(await serve(era, stateless("tools/list"), facts)).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  });

  test.each(["inputResponses", "requestState"])(
    "RES-26: what came of %s is not to be kept, whatever a feature says",
    async (name) => {
      const cache: CacheHint = { ttlMs: 60_000, scope: "public" };
      const facts = serving({ type: "complete", result: {}, cache }, methods);
      const answered = stateless("resources/read", { uri: "x:y", [name]: name === "requestState" ? "s" : {} });
      expect(await serve(era, answered, facts)).toMatchObject({ ttlMs: 0, cacheScope: "private" });
    },
  );

  test("RES-11: a question carries no hints", async () => {
    const result = await serve(
      era,
      stateless("resources/read"),
      serving({ type: "input_required", requestState: "s" }, methods),
    );
    expect(result).toEqual({ resultType: "input_required", requestState: "s", _meta: serverInfo });
  });
});

describe("results that stay the same", () => {
  test("their text is made once", async () => {
    let made = 0;
    const result = {
      get tools() {
        made += 1;
        return [];
      },
    };
    const facts = serving({ type: "complete", result, stable: true }, ["tools/list"]);
    const first = await serve(era, stateless("tools/list"), facts);
    expect(await serve(era, stateless("tools/list"), facts)).toEqual(first);
    expect(first).toMatchObject({ tools: [] });
    expect(made).toBe(1);
  });

  test("another server's identity does not stick to them", async () => {
    const outcome: Outcome = { type: "complete", result: { tools: [] }, stable: true };
    const methods = { "tools/list": () => outcome };
    await serve(era, stateless("tools/list"), factsOf([era], methods));
    const other = factsOf([era], methods, {}, { info: { name: "other", version: "2" } });
    expect(await serve(era, stateless("tools/list"), other)).toMatchObject({
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "other" } },
    });
  });
});

describe("questions that no client could answer are the feature's own fault", () => {
  const ask = (inputRequests: object, method = "tools/call"): Promise<unknown> =>
    serve(era, stateless(method), serving({ type: "input_required", inputRequests: inputRequests as never }, [method]));

  test("a method that may not ask", async () => {
    await expect(ask({}, "tools/list")).rejects.toThrow(/only tools\/call, prompts\/get, resources\/read may/);
  });
  test("neither questions nor state", async () => {
    await expect(serve(era, stateless("tools/call"), serving({ type: "input_required" }))).rejects.toThrow(/needs/);
  });
  test("a method that asks nothing", async () => {
    await expect(ask({ a: { method: "tools/call" } })).rejects.toThrow(/"tools\/call" is unknown/);
  });
});

describe("refusals and errors", () => {
  const refused = (reason: Extract<Outcome, { type: "refused" }>["reason"], data?: unknown): Promise<RpcError> =>
    refusal(
      era,
      stateless("resources/read", { uri: "file:///gone" }),
      serving({ type: "refused", reason, message: "no", data }, ["resources/read"]),
    );

  test("ERR-01: each refusal has the code of its meaning", async () => {
    expect(await refused("invalid_params")).toMatchObject({ code: -32602, message: "no" });
    expect(await refused("header_mismatch")).toMatchObject({ code: -32020 });
    const requiredCapabilities = { roots: {} };
    expect(await refused("needs_capability", { requiredCapabilities })).toMatchObject({
      code: -32021,
      data: { requiredCapabilities },
    });
  });

  test("RSC-06, ERR-05: what is not found is -32602 with its uri, whoever says so", async () => {
    expect(await refused("not_found")).toMatchObject({ code: -32602, data: { uri: "file:///gone" } });
    expect((await refused("not_found", { mine: 1 })).data).toEqual({ mine: 1 });
  });

  const thrown = (code: number, data?: unknown): Promise<RpcError> => {
    const feature: Feature = async () => {
      throw new RpcError(code, "meant", { data });
    };
    return refusal(era, stateless("tools/call"), factsOf([era], { "tools/call": feature }));
  };

  test("ERR-05: -32002 and -32042 are never sent, whoever throws them", async () => {
    expect(await thrown(-32002, { uri: "x" })).toMatchObject({ code: -32602, message: "meant", data: { uri: "x" } });
    expect(await thrown(-32042)).toMatchObject({ code: -32603, message: "meant" });
  });

  test.each([-32000, -32001, -32019, -32022, -32023, -32050, -32099, 1.5])(
    "ERR-02, ERR-04: code %d is not sent, its message is",
    async (code) => expect(await thrown(code, 1)).toMatchObject({ code: -32603, message: "meant", data: 1 }),
  );

  test("ERR-04: the protocol's own codes are sent with their meaning only", async () => {
    expect(await thrown(-32021, { requiredCapabilities: {} })).toMatchObject({ code: -32021 });
    expect(await thrown(-32021, { requiredCapabilities: ["roots"] })).toMatchObject({ code: -32603 });
  });

  test.each([-32700, -32600, -32601, -32602, -32603, 4242, -1, -31999, -32100])(
    "ERR-01, ERR-08: code %d passes as it was thrown",
    async (code) => expect(await thrown(code, { a: 1 })).toMatchObject({ code, message: "meant", data: { a: 1 } }),
  );

  test("ERR-05: a feature that throws at once is held to the same", () => {
    const feature: Feature = () => {
      throw new RpcError(-32002, "meant");
    };
    const facts = factsOf([era], { "tools/call": feature });
    expect(() => era.serve(stateless("tools/call"), exchangeOn(), facts)).toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  });
});
