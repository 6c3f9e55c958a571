import {
  type Agreed,
  answer,
  batches,
  type Connection,
  connect,
  type JsonObject,
  LocalError,
  memoryPair,
} from "@parlance/jsonrpc";
import { describe, expect, test } from "vitest";
import { announcing } from "../announcing.js";
import type { Change } from "../change.js";
import type { Feature, FeatureSet } from "../feature.js";
import { listening } from "../listening.js";
import { logging } from "../logging.js";
import { complete, exchangeOn, factsOf, handlerOf, never, refusal, request, serve, under } from "../served.fixture.js";
import { handshakeVersions } from "../version.js";
import { watching } from "../watching.js";
import { handshakeServer } from "./server.js";

const era = handshakeServer({ batches });
const tools: Readonly<Record<string, Feature>> = {
  "tools/list": () => complete({ tools: [] }),
  "tools/call": () => complete({ content: [] }),
};
const server = factsOf([era], tools);
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" } as const;

interface TestConnection extends Connection {
  readonly agreements: readonly Agreed[];
  readonly told: readonly string[];
  end(): void;
}

function connection(): TestConnection {
  const closing = new AbortController();
  const agreements: Agreed[] = [];
  const told: string[] = [];
  return {
    closed: closing.signal,
    agreements,
    told,
    agreed: (to) => agreements.push(to),
    notify: async (method) => {
      told.push(method);
    },
    end: () => closing.abort(),
  };
}

async function begin(on: Connection, params: JsonObject = {}, of = server): Promise<JsonObject> {
  return serve(era, request("initialize", params), of, exchangeOn(on));
}

describe("initialize", () => {
  test.each(handshakeVersions.all)("LC-04: version %s is answered with itself", async (version) => {
    expect(await begin(connection(), { protocolVersion: version })).toMatchObject({ protocolVersion: version });
  });

  test.each([undefined, null, 7, "", "1999-01-01", "2030-01-01"])(
    "LC-05, LC-13: protocolVersion %j is answered with the newest that is on",
    async (protocolVersion) => {
      expect(await begin(connection(), { protocolVersion })).toMatchObject({ protocolVersion: "2025-11-25" });
    },
  );

  test("VER-S-13: a version of the other era is never echoed", async () => {
    expect(await begin(connection(), { protocolVersion: "2026-07-28" })).toMatchObject({
      protocolVersion: "2025-11-25",
    });
  });

  test("LC-04, LC-14: a version that was left out is not agreed to", async () => {
    const narrow = handshakeServer({ versions: ["2024-11-05", "2025-06-18"] });
    expect(narrow.versions).toEqual(["2025-06-18", "2024-11-05"]);
    const message = request("initialize", { protocolVersion: "2025-11-25" });
    expect(await serve(narrow, message, factsOf([narrow]))).toMatchObject({ protocolVersion: "2025-06-18" });
  });

  test("LC-06: the result has version, capabilities and serverInfo, and instructions if there are some", async () => {
    const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: server.info };
    expect(await begin(connection())).toEqual(result);
    const told = factsOf([era], tools, { tools: {} }, { instructions: "Ask first" });
    expect(await begin(connection(), {}, told)).toEqual({ ...result, instructions: "Ask first" });
  });

  test("whoever moves the messages hears what was agreed, batches only for 2025-03-26", async () => {
    for (const version of handshakeVersions.all) {
      const on = connection();
      await begin(on, { protocolVersion: version });
      expect(on.agreements).toEqual([{ version, batches: version === "2025-03-26" ? batches : undefined }]);
    }
  });

  test("JR-23, JR-26: arrays are taken in a 2025-03-26 session only, and never before it", async () => {
    for (const [version, taken] of [
      ["2025-03-26", true],
      ["2025-06-18", false],
    ] as const) {
      const [near, far] = memoryPair();
      const serving = await connect(far, handlerOf([era], server));
      const frames: unknown[] = [];
      let arrived = (): void => {};
      const channel = await near({
        frame: (text) => {
          frames.push(JSON.parse(text));
          arrived();
        },
        lost: () => expect.fail("lost"),
        closed: () => {},
      });
      const ask = async (message: object): Promise<unknown> => {
        const next = new Promise<void>((resolve) => {
          arrived = resolve;
        });
        await channel.send(JSON.stringify(message));
        await next;
        return frames.pop();
      };
      const batch = [request("tools/list")];
      expect(await ask(batch)).toMatchObject({ error: { code: -32600 } });
      await ask(request("initialize", { protocolVersion: version }));
      expect(await ask(batch)).toMatchObject(taken ? [{ result: { tools: [] } }] : { error: { code: -32600 } });
      await serving.close();
    }
  });

  test("LC-12, BUG-75: a second initialize is -32600, and the first client stays", async () => {
    const on = connection();
    const facts = factsOf([era], { "tools/call": ({ caller }) => complete({ content: [], caller }) });
    await begin(on, { clientInfo: { name: "first", version: "1" } }, facts);
    const again = request("initialize", { clientInfo: { name: "second", version: "1" } });
    expect(await refusal(era, again, facts, exchangeOn(on))).toMatchObject({ code: -32600 });
    expect(await serve(era, request("tools/call"), facts, exchangeOn(on))).toMatchObject({
      caller: { info: { name: "first" } },
    });
    expect(on.agreements).toHaveLength(1);
  });

  test("capabilities and clientInfo that are not what they should be are nothing", async () => {
    const on = connection();
    const facts = factsOf([era], { "tools/call": ({ caller }) => complete({ content: [], caller }) });
    await begin(on, { capabilities: [], clientInfo: "x" }, facts);
    expect(await serve(era, request("tools/call"), facts, exchangeOn(on))).toMatchObject({
      caller: { capabilities: {} },
    });
  });
});

describe("before and between", () => {
  test("LC-11: where the handshake is the only era, a request before initialize is -32600", async () => {
    const error = await refusal(era, request("tools/list"), server);
    expect(error).toMatchObject({ code: -32600, early: true });
    expect(error.message).toContain("initialize");
  });

  test("LC-11, BUG-76: a request after initialize and before initialized is served", async () => {
    const on = connection();
    await begin(on);
    expect(era.claims(request("tools/list"), on)).toBe(true);
    expect(await serve(era, request("tools/list"), server, exchangeOn(on))).toEqual({ tools: [] });
  });

  test("LC-17: ping is answered with an empty object at any time", async () => {
    const on = connection();
    const ping = request("ping");
    expect(era.claims(ping, on)).toBe(true);
    expect(await serve(era, ping, server, exchangeOn(on))).toEqual({});
    await begin(on);
    expect(await serve(era, ping, server, exchangeOn(on))).toEqual({});
  });

  test("BUG-67: notifications/initialized with an id is an unknown method, and starts nothing", async () => {
    const on = connection();
    const { bus, publish } = changeBus();
    const promises = { tools: { listChanged: true } };
    const features = [{ ...announcing, capabilities: { tools: {} }, promises, methods: {} }];
    const facts = factsOf([era], tools, {}, { changes: bus, features });
    await begin(on, {}, facts);
    const message = request("notifications/initialized");
    expect(await refusal(era, message, facts, exchangeOn(on))).toMatchObject({ code: -32601 });
    publish({ type: "tools" });
    await settled();
    expect(on.told).toEqual([]);
  });

  test("LC-14, JR-30: methods of another era and of no feature are -32601", async () => {
    const on = connection();
    const facts = factsOf([era], tools, {}, { features: [listening()] });
    await begin(on, {}, facts);
    for (const method of ["server/discover", "subscriptions/listen", "prompts/list", "logging/setLevel", "toString"]) {
      expect(await refusal(era, request(method), facts, exchangeOn(on))).toMatchObject({ code: -32601 });
    }
  });

  test("LC-28, JR-16: a notification nobody waits for changes nothing and answers nothing", async () => {
    const handler = handlerOf([era], server);
    expect(await answer(handler, JSON.stringify(initialized))).toBeUndefined();
    expect(await answer(handler, JSON.stringify({ jsonrpc: "2.0", method: "no/such" }))).toBeUndefined();
  });
});

describe("without a session", () => {
  const says: Feature = ({ version, caller }) => complete({ content: [], version, caller });
  const facts = factsOf([era], { "tools/call": says }, {}, { features: [logging()] });

  test("each request is served under the revision that its connection names", async () => {
    expect(era.claims(request("tools/call"), under("2025-06-18"))).toBe(true);
    expect(await serve(era, request("tools/call"), facts, exchangeOn(under("2025-06-18")))).toMatchObject({
      version: "2025-06-18",
      caller: { capabilities: {} },
    });
  });
});

describe("changes", () => {
  const promises = { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } };
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  const features = [{ ...announcing, capabilities, promises, methods: {} }];

  test("LC-10, TOOL-01: they are held back until initialized, then told once a turn, if they were announced", async () => {
    const on = connection();
    const { bus, publish, count } = changeBus();
    const facts = factsOf([era], tools, {}, { changes: bus, features });
    expect((await begin(on, {}, facts))["capabilities"]).toEqual({ ...promises, prompts: {} });
    publish({ type: "tools" });
    publish({ type: "tools" });
    publish({ type: "prompts" });
    await settled();
    expect(on.told).toEqual([]);
    era.notice?.(initialized, on, facts);
    await settled();
    expect(on.told).toEqual(["notifications/tools/list_changed"]);
    publish({ type: "resources" });
    publish({ type: "resource", uri: "file:///x" });
    publish({ type: "resources" });
    await settled();
    expect(on.told.slice(1)).toEqual(["notifications/resources/list_changed"]);
    on.end();
    expect(count()).toBe(0);
  });

  test("where nobody can be told, nothing is announced and nobody listens", async () => {
    const { bus, count } = changeBus();
    const facts = factsOf([era], tools, {}, { changes: bus, features });
    expect((await begin({ closed: never }, {}, facts))["capabilities"]).toEqual(capabilities);
    expect(count()).toBe(0);
  });

  test("a client that can no longer be told fails nothing", async () => {
    const { bus, publish } = changeBus();
    const facts = factsOf([era], tools, {}, { changes: bus, features });
    const on = { ...connection(), notify: () => Promise.reject(new LocalError("CLOSED", "gone")) };
    await begin(on, {}, facts);
    era.notice?.(initialized, on, facts);
    publish({ type: "tools" });
    await settled();
  });
});

describe("subscriptions", () => {
  const announced = { resources: { subscribe: true } };
  const subscribing = () => {
    const { bus, publish, count } = changeBus();
    const watched = new Set<string>();
    const hears: FeatureSet = {
      ...announcing,
      capabilities: { resources: {} },
      promises: announced,
      methods: {},
      watching: watching((uri) => {
        if (uri === "no:such") return { type: "refused", reason: "not_found", message: "no" };
        watched.add(uri);
        return () => watched.delete(uri);
      }),
    };
    const facts = factsOf([era], {}, {}, { changes: bus, features: [hears] });
    const ask = (on: Connection, method: string, uri?: string) =>
      serve(era, request(`resources/${method}`, { uri }), facts, exchangeOn(on));
    return { facts, ask, watched, publish, count };
  };

  test("RSC-11: subscribe and unsubscribe answer {}, and in between the session is told", async () => {
    const { facts, ask, watched, publish } = subscribing();
    const [one, other] = [connection(), connection()];
    expect(await begin(one, {}, facts)).toMatchObject({ capabilities: announced });
    await begin(other, {}, facts);
    expect(await ask(one, "subscribe", "file:///x")).toEqual({});
    publish({ type: "resource", uri: "file:///x" });
    publish({ type: "resource", uri: "file:///y" });
    await settled();
    expect([one.told, other.told]).toEqual([["notifications/resources/updated"], []]);
    expect(await ask(one, "unsubscribe", "file:///x")).toEqual({});
    publish({ type: "resource", uri: "file:///x" });
    await settled();
    expect(one.told).toHaveLength(1);
    expect(watched.size).toBe(0);
  });

  test("RSC-12: unsubscribing what was not subscribed is {}, and what does not exist is -32002", async () => {
    const { facts, ask } = subscribing();
    const on = connection();
    await begin(on, {}, facts);
    expect(await ask(on, "unsubscribe", "file:///x")).toEqual({});
    await expect(ask(on, "subscribe", "no:such")).rejects.toMatchObject({ code: -32002, data: { uri: "no:such" } });
    await expect(ask(on, "subscribe")).rejects.toMatchObject({ code: -32602 });
  });

  test("a session that is gone watches nothing, and nobody listens for it", async () => {
    const { facts, ask, watched, count } = subscribing();
    const on = connection();
    await begin(on, {}, facts);
    await ask(on, "subscribe", "file:///x");
    expect(watched.size).toBe(1);
    on.end();
    expect([watched.size, count()]).toEqual([0, 0]);
  });

  test("BUG-115: where nobody can be told, subscribing is not announced and not known", async () => {
    const { facts, ask } = subscribing();
    const on = { closed: never };
    expect(await begin(on, {}, facts)).toMatchObject({ capabilities: { resources: {} } });
    await expect(ask(on, "subscribe", "file:///x")).rejects.toMatchObject({ code: -32601 });
  });
});

describe("log", () => {
  const talks: Feature = async (call) => {
    await call.log("debug", 1);
    await call.log("info", 2);
    await call.log("error", 3);
    return complete({ content: [] });
  };
  const facts = factsOf([era], { "tools/call": talks }, {}, { features: [logging()] });
  const logged = async (on: Connection, of = facts): Promise<readonly unknown[]> => {
    const exchange = exchangeOn(on);
    await serve(era, request("tools/call"), of, exchange);
    return exchange.sent.map(({ params }) => params["data"]);
  };
  const setLevel = (on: Connection, level: unknown): Promise<JsonObject> =>
    serve(era, request("logging/setLevel", { level }), facts, exchangeOn(on));

  test("LOG-02, LOG-03, LOG-04, LOG-05: info and above until the session sets its own level", async () => {
    const [one, other] = [connection(), connection()];
    await begin(one, {}, facts);
    await begin(other, {}, facts);
    expect(await logged(one)).toEqual([2, 3]);
    expect(await setLevel(one, "error")).toEqual({});
    expect(await logged(one)).toEqual([3]);
    expect(await logged(other)).toEqual([2, 3]);
    await setLevel(other, "debug");
    expect(await logged(other)).toEqual([1, 2, 3]);
  });

  test.each(["loud", undefined, "INFO"])("LOG-06: level %j is -32602", async (level) => {
    const on = connection();
    await begin(on, {}, facts);
    await expect(setLevel(on, level)).rejects.toMatchObject({ code: -32602 });
  });

  test("LOG-01: a server that did not announce logging logs nothing and takes no level", async () => {
    const on = connection();
    const silent = factsOf([era], { "tools/call": talks });
    await begin(on, {}, silent);
    expect(await logged(on, silent)).toEqual([]);
    const message = request("logging/setLevel", { level: "debug" });
    expect(await refusal(era, message, silent, exchangeOn(on))).toMatchObject({ code: -32601 });
  });
});

async function settled(): Promise<void> {
  await Promise.resolve();
  await Promise.resolve();
}

function changeBus(): { bus: typeof server.changes; publish(change: Change): void; count(): number } {
  const listeners = new Set<(change: Change) => void>();
  const publish = (change: Change): void => {
    for (const listener of listeners) {
      listener(change);
    }
  };
  const bus = {
    publish,
    subscribe(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { bus, publish, count: () => listeners.size };
}
