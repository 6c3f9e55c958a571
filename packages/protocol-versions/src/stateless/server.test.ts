import { answer, connect, derive, type JsonObject, memoryPair } from "@parlance/jsonrpc";
import { describe, expect, test, vi } from "vitest";
import { announcing } from "../announcing.js";
import type { Call, Feature, FeatureSet } from "../feature.js";
import { listening } from "../listening.js";
import { logging } from "../logging.js";
import {
  complete,
  envelope,
  exchangeOn,
  factsOf,
  handlerOf,
  never,
  refusal,
  request,
  serve,
  stateless,
  wire,
} from "../served.fixture.js";
import { handshakeVersions, statelessVersions } from "../version.js";
import { watching } from "../watching.js";
import { statelessServer } from "./server.js";

const era = statelessServer();
const alone = [era];
/** As on a server that speaks the other era too. */
const versions = [...statelessVersions, ...handshakeVersions.default];
const tools: Readonly<Record<string, Feature>> = {
  "tools/list": () => complete({ tools: [] }),
  "tools/call": () => complete({ content: [] }),
};
const server = factsOf(alone, tools, undefined, { versions });
const everyMethod = ["server/discover", "subscriptions/listen", "tools/list", "tools/call", "ping", "no/such"];
const versionKey = "io.modelcontextprotocol/protocolVersion";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

describe("what a request must say of itself", () => {
  test("VER-S-04: a request without the version or the capabilities is -32602, naming what is missing, for every method", async () => {
    for (const method of everyMethod) {
      for (const key of [versionKey, capabilitiesKey]) {
        const meta = Object.fromEntries(Object.entries(envelope()).filter(([name]) => name !== key));
        const error = await refusal(era, request(method, { _meta: meta }), server);
        expect(error).toMatchObject({ code: -32602, early: true });
        expect(error.message).toContain(key);
      }
    }
    expect((await refusal(era, request("tools/list"), server)).message).toContain(`${versionKey} (a string) and`);
  });

  test("VER-S-04: a key of another type is as good as missing", async () => {
    for (const meta of [envelope({ [versionKey]: 7 }), envelope({ [capabilitiesKey]: [] })]) {
      expect(await refusal(era, request("tools/list", { _meta: meta }), server)).toMatchObject({ code: -32602 });
    }
  });

  test("LC-11: where initialize would do too, the refusal says so", async () => {
    expect((await refusal(era, request("tools/list"), server)).message).toContain("initialize would also do");
    const only = await refusal(era, request("tools/list"), factsOf(alone, tools));
    expect(only.message).not.toContain("initialize");
  });

  test("VER-S-05: a missing clientInfo is fine, and so is a malformed one", async () => {
    const seen: unknown[] = [];
    const facts = factsOf(alone, {
      "tools/list": (call) => {
        seen.push(call.caller.info);
        return complete({ tools: [] });
      },
    });
    const info = { name: "Telaria Client", version: "1.0.0" };
    for (const clientInfo of [undefined, "x", info]) {
      await serve(era, stateless("tools/list", {}, { "io.modelcontextprotocol/clientInfo": clientInfo }), facts);
    }
    expect(seen).toEqual([undefined, undefined, info]);
  });

  test("META-09: the defined request keys are read from _meta", async () => {
    let seen: Call | undefined;
    const facts = factsOf(alone, {
      "tools/call": (call) => {
        seen = call;
        return complete({ content: [] });
      },
    });
    const meta = { [capabilitiesKey]: { roots: {} }, "com.example/x": 1, progressToken: 0 };
    await serve(era, stateless("tools/call", { name: "x" }, meta), facts);
    expect(seen?.version).toBe("2026-07-28");
    expect(seen?.caller.capabilities).toEqual({ roots: {} });
    expect(seen?.meta).toEqual(envelope(meta));
  });

  test("META-06, META-07, META-14: keys that nobody defined reach the feature untouched", async () => {
    const foreign = { "io.modelcontextprotocol/foo": { a: 1 }, "1bad./-key": 1, traceparent: "not one" };
    const facts = factsOf(alone, { "tools/call": ({ meta }) => complete({ content: [], seen: meta }) });
    const { seen } = await serve(era, stateless("tools/call", {}, foreign), facts);
    expect(seen).toMatchObject(foreign);
  });
});

describe("versions", () => {
  test("VER-S-06: a version that is not spoken is -32022 with supported and requested, whatever the method", async () => {
    for (const method of everyMethod) {
      expect(await refusal(era, stateless(method, {}, { [versionKey]: "1900-01-01" }), server)).toMatchObject({
        code: -32022,
        data: { supported: server.versions, requested: "1900-01-01" },
      });
    }
  });

  test("VER-S-17: a later date is not a newer version that may pass", async () => {
    for (const version of ["2027-01-01", "2026-07-28 ", "2026-07-29", ""]) {
      const error = await refusal(era, stateless("tools/list", {}, { [versionKey]: version }), server);
      expect(error).toMatchObject({ code: -32022, data: { requested: version } });
    }
  });

  test("VER-S-08: a handshake version in _meta is -32022", async () => {
    const error = await refusal(era, stateless("tools/list", {}, { [versionKey]: "2025-11-25" }), server);
    expect(error).toMatchObject({ code: -32022, data: { requested: "2025-11-25" } });
  });

  test("VER-S-07: stateless versions come first in supported and supportedVersions", async () => {
    const all = ["2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05"];
    expect((await serve(era, stateless("server/discover"), server))["supportedVersions"]).toEqual(all);
    const error = await refusal(era, stateless("server/discover", {}, { [versionKey]: "x" }), server);
    expect(error.data).toMatchObject({ supported: all });
  });

  test("VER-S-09, VER-S-10: initialize without the handshake is -32022 and names the versions", async () => {
    const only = factsOf(alone, tools);
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
    const error = await refusal(era, request("initialize", params), only);
    expect(error).toMatchObject({
      code: -32022,
      data: { supported: ["2026-07-28"], requested: "2025-11-25" },
      early: true,
    });
    expect(error.message).toContain("2026-07-28");
    expect(await refusal(era, request("initialize"), only)).toMatchObject({ code: -32022, data: { requested: "" } });
  });
});

describe("methods", () => {
  test("VER-S-12, LOG-11: methods that this era removed are -32601, also where sessions have them", async () => {
    const removed = [
      "ping",
      "initialize",
      "logging/setLevel",
      "resources/subscribe",
      "resources/unsubscribe",
      "tasks/list",
      "tasks/result",
    ];
    const features = [logging(), { ...announcing, capabilities: {}, methods: {}, watching: watching(() => () => {}) }];
    const offered = factsOf(alone, {}, {}, { features });
    for (const method of removed) {
      const params = { level: "info", uri: "file:///x" };
      expect(await refusal(era, stateless(method, params), offered)).toMatchObject({ code: -32601 });
    }
  });

  test("VER-S-11: initialize with the version of this era is an unknown method", async () => {
    const message = stateless("initialize", { protocolVersion: "2025-11-25" });
    expect(era.claims(message, { closed: never })).toBe(true);
    expect(await refusal(era, message, server)).toMatchObject({ code: -32601 });
  });

  test("JR-30: a server without features answers discover, and -32601 to the rest", async () => {
    const bare = factsOf(alone, {}, {});
    expect(await serve(era, stateless("server/discover"), bare)).toMatchObject({ capabilities: {} });
    for (const method of ["tools/list", "subscriptions/listen", "no/such", "notifications/initialized"]) {
      expect(await refusal(era, stateless(method), bare)).toMatchObject({ code: -32601 });
    }
  });

  test("BUG-67: a notification's method with an id is an unknown method", async () => {
    const message = stateless("notifications/initialized");
    expect(await refusal(era, message, server)).toMatchObject({ code: -32601 });
  });
});

describe("discover", () => {
  test("VER-S-01: server/discover is answered with nothing before it", async () => {
    const text = await answer(handlerOf(alone, server), JSON.stringify(stateless("server/discover")));
    expect(JSON.parse(text ?? "")).toMatchObject({ id: 1, result: { resultType: "complete" } });
  });

  test("VER-S-02: it has versions, capabilities and cache hints, and the identity in _meta only", async () => {
    const facts = factsOf(alone, tools, { tools: {} }, { versions, instructions: "Ask first" });
    expect(await serve(era, stateless("server/discover"), facts)).toEqual({
      resultType: "complete",
      supportedVersions: facts.versions,
      capabilities: { tools: {} },
      instructions: "Ask first",
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": facts.info },
    });
    expect(await serve(era, stateless("server/discover"), server)).not.toHaveProperty("instructions");
  });

  test("what is heard on a listen stream is not announced without one", async () => {
    const capabilities = { tools: {}, resources: {} };
    const promises = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } };
    const set = { ...announcing, capabilities, promises, methods: {} };
    const announced = async (features: readonly FeatureSet[]): Promise<unknown> =>
      (await serve(era, stateless("server/discover"), factsOf(alone, tools, {}, { features })))["capabilities"];
    expect(await announced([set])).toEqual(capabilities);
    expect(await announced([set, listening()])).toEqual(promises);
    expect(await refusal(era, stateless("subscriptions/listen"), server)).toMatchObject({ code: -32601 });
  });

  test("it is written once for a server", () => {
    const first = era.serve(stateless("server/discover"), exchangeOn(), server);
    expect(era.serve(stateless("server/discover"), exchangeOn(), server)).toBe(first);
  });
});

describe("one request knows nothing of another", () => {
  const asks: Feature = ({ inputResponses }) =>
    inputResponses === undefined
      ? { type: "input_required", inputRequests: { name: { method: "elicitation/create", params: { message: "?" } } } }
      : complete({ content: [], inputResponses });

  test("VER-S-03, BUG-181: capabilities of an earlier request are not those of a later one", async () => {
    const facts = factsOf(alone, { "tools/call": asks });
    const exchange = exchangeOn();
    const able = stateless("tools/call", {}, { [capabilitiesKey]: { elicitation: {} } });
    expect(await serve(era, able, facts, exchange)).toMatchObject({ resultType: "input_required" });
    expect(await refusal(era, stateless("tools/call"), facts, exchange)).toMatchObject({ code: -32021 });
  });

  test("VER-S-21: a capability that was not declared is -32021 with an object of capabilities", async () => {
    const error = await refusal(era, stateless("tools/call"), factsOf(alone, { "tools/call": asks }));
    expect(wire(error.toJSON())).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  test("VER-S-19: a retry is answered by another instance from what it carries", async () => {
    const other = statelessServer();
    const answers = { name: { action: "accept", content: { name: "Ada" } } };
    const message = stateless("tools/call", { inputResponses: answers, requestState: "s" });
    const facts = factsOf([other], { "tools/call": asks });
    expect(await serve(other, message, facts)).toMatchObject({ inputResponses: answers });
  });

  test("JR-27: what a feature asks travels in its result, never as a request", async () => {
    const message = stateless("tools/call", {}, { [capabilitiesKey]: { elicitation: {} } });
    const exchange = exchangeOn(undefined, { request: () => expect.fail("asked") });
    const result = await serve(era, message, factsOf(alone, { "tools/call": asks }), exchange);
    expect(result["inputRequests"]).toEqual({ name: { method: "elicitation/create", params: { message: "?" } } });
  });

  test("JR-29: null and fractions pass in arguments, structuredContent and answers", async () => {
    const odd = { a: null, b: 1.5, c: [null, 0.1] };
    const facts = factsOf(alone, {
      "tools/call": ({ params, inputResponses }) =>
        complete({ content: [], structuredContent: [params["arguments"], inputResponses] }),
    });
    const inputResponses = { form: { action: "accept", content: odd } };
    const message = stateless("tools/call", { arguments: odd, inputResponses });
    expect(await serve(era, message, facts)).toMatchObject({ structuredContent: [odd, inputResponses] });
    expect(
      await serve(era, message, factsOf(alone, { "tools/call": () => complete({ structuredContent: null }) })),
    ).toMatchObject({ structuredContent: null });
  });

  test("answers and state that are no objects or text are -32602", async () => {
    for (const params of [{ inputResponses: [] }, { inputResponses: { a: 1 } }, { requestState: 1 }]) {
      expect(await refusal(era, stateless("tools/call", params), server)).toMatchObject({ code: -32602 });
    }
  });
});

describe("progress and log", () => {
  const talks: Feature = async (call) => {
    await call.progress(1, 4, "one");
    await call.progress(1);
    await call.progress(0.5);
    await call.progress(Number.NaN);
    await call.progress(2.5);
    await call.log("info", { a: 1 });
    await call.log("error", "broken", "db");
    return complete({ content: [] });
  };
  const facts = factsOf(alone, { "tools/call": talks }, {}, { features: [logging()] });
  const run = async (meta: JsonObject, of = facts): Promise<readonly unknown[]> => {
    const exchange = exchangeOn();
    await serve(era, stateless("tools/call", {}, meta), of, exchange);
    return exchange.sent.map(({ method, params }) => [method.slice("notifications/".length), params]);
  };

  test.each([0, "", "t", 7])(
    "PRG-01, PRG-03, PRG-04, BUG-88: token %j gets progress that only grows, whole or in part",
    async (progressToken) => {
      expect(await run({ progressToken })).toEqual([
        ["progress", { progressToken, progress: 1, total: 4, message: "one" }],
        ["progress", { progressToken, progress: 2.5 }],
      ]);
    },
  );

  test("PRG-09: of progress that comes faster than it is taken, the latest is told", async () => {
    const told: unknown[] = [];
    const taken: (() => void)[] = [];
    const take = (): void => {
      for (const one of taken.splice(0)) one();
    };
    const first = Array.from({ length: 16 }, (_, index) => index + 1);
    const slow: Feature = async (call) => {
      const all = [...first, 17, 18, 19].map((done) => call.progress(done));
      expect(told).toEqual(first);
      take();
      await vi.waitFor(() => expect(told).toEqual([...first, 19]));
      take();
      await Promise.all(all);
      void call.progress(20);
      void call.progress(21);
      return complete({ content: [] });
    };
    const exchange = derive(exchangeOn(), {
      notify: (_, params) => {
        told.push(params["progress"]);
        return new Promise((resolve) => {
          taken.push(resolve);
        });
      },
    });
    const busy = factsOf(alone, { "tools/call": slow });
    await serve(era, stateless("tools/call", {}, { progressToken: 1 }), busy, exchange);
    expect(told).toEqual([...first, 19, 20, 21]);
  });

  test.each([1.5, null, {}, true])("PRG-01: token %j is -32602", async (progressToken) => {
    expect(await refusal(era, stateless("tools/call", {}, { progressToken }), facts)).toMatchObject({ code: -32602 });
  });

  test("LOG-07, PRG-06: without a token and a level nothing is sent", async () => {
    expect(await run({})).toEqual([]);
  });

  test("LOG-08: messages at or above the level are sent on the request's stream", async () => {
    expect(await run({ "io.modelcontextprotocol/logLevel": "warning" })).toEqual([
      ["message", { level: "error", logger: "db", data: "broken" }],
    ]);
  });

  test("LOG-01: a server that did not announce logging logs nothing", async () => {
    expect(await run({ "io.modelcontextprotocol/logLevel": "debug" }, factsOf(alone, { "tools/call": talks }))).toEqual(
      [],
    );
  });

  test("LOG-10: an unknown level is -32602", async () => {
    const error = await refusal(
      era,
      stateless("tools/call", {}, { "io.modelcontextprotocol/logLevel": "loud" }),
      facts,
    );
    expect(error).toMatchObject({ code: -32602 });
    expect(error.message).toContain('"loud"');
  });

  test("LOG-09: nothing is sent after the reply, and the late reporter does not fail", async () => {
    let late: Call | undefined;
    const keeps = factsOf(alone, {
      "tools/call": (call) => {
        late = call;
        return complete({ content: [] });
      },
    });
    const [near, far] = memoryPair();
    const serving = await connect(far, handlerOf(alone, keeps));
    const heard: string[] = [];
    const peer = await connect(near, {
      request: () => expect.fail("asked"),
      notification: ({ method }) => heard.push(method),
    });
    await peer.request("tools/call", { _meta: envelope({ progressToken: 1 }) });
    await late?.progress(1);
    await peer.request("tools/call", { _meta: envelope() });
    expect(heard).toEqual([]);
    await peer.close();
    await serving.close();
  });
});

test("a signal is made only for a feature that asks for it", async () => {
  let made = 0;
  const facts = factsOf(alone, { ...tools, "tools/call": ({ signal }) => complete({ aborted: signal.aborted }) });
  const exchange = exchangeOn();
  const lazy = Object.defineProperty({ ...exchange }, "signal", {
    get() {
      made += 1;
      return never;
    },
  });
  await serve(era, stateless("tools/list"), facts, lazy);
  expect(made).toBe(0);
  expect(await serve(era, stateless("tools/call"), facts, lazy)).toMatchObject({ aborted: false });
  expect(made).toBe(1);
});

test("a feature that throws an error of its own rejects with it", async () => {
  const fault = new Error("secret");
  const facts = factsOf(alone, {
    "tools/call": () => {
      throw fault;
    },
    "tools/list": async () => {
      throw fault;
    },
  });
  expect(() => era.serve(stateless("tools/call"), exchangeOn(), facts)).toThrow(fault);
  await expect(era.serve(stateless("tools/list"), exchangeOn(), facts)).rejects.toBe(fault);
});
