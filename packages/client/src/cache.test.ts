import type { JsonObject, RpcNotification } from "@parlance/jsonrpc";
import { meta, statelessClient } from "@parlance/protocol-versions";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { responseCache } from "./cache.js";
import { type CacheStore, memoryCache } from "./cache-store.js";
import type { Client } from "./client.js";
import { connectClient } from "./connect.js";
import type { ClientPart, Making, Send } from "./inner.js";
import { listPrompts } from "./prompts.js";
import { listResources, readResource } from "./resources.js";
import { type Answers, createScriptedServer, fail, ok, type ScriptedServer } from "./scripted-server.fixture.js";
import { listTools } from "./tools.js";

const info = { name: "test", version: "1" };
const capabilities = { tools: {}, resources: {}, prompts: {} };
const fresh = { ttlMs: 1_000, cacheScope: "private" };

interface Setting {
  readonly cache?: ClientPart;
  readonly authority?: string;
  readonly partition?: string;
}

async function connected(
  answers: Answers,
  { cache = responseCache(), authority, partition }: Setting = {},
): Promise<{ client: Client; server: ScriptedServer; asked: () => readonly unknown[] }> {
  const server = createScriptedServer({
    "server/discover": ok({ supportedVersions: ["2026-07-28"], capabilities }),
    ...answers,
  });
  const client = await connectClient({
    dial: async (handler) => {
      const peer = await server.dial(handler);
      return { ...peer, closed: peer.closed, authority, partition };
    },
    info,
    eras: [statelessClient()],
    cache,
  });
  const asked = (): readonly unknown[] =>
    server.received.slice(1).map(({ params }) => params?.["uri"] ?? params?.["cursor"]);
  return { client, server, asked };
}

const read = (extra: object = fresh): Answers => ({
  "resources/read": ({ params }) => ok({ contents: [{ uri: String(params?.["uri"]), text: "t" }], ...extra }),
});

/** A notification is heard once what was sent after it is answered. */
async function tell(client: Client, server: ScriptedServer, method: string, params: JsonObject = {}): Promise<void> {
  const { length } = server.received;
  server.last.send({ method, params } satisfies Omit<RpcNotification, "jsonrpc">);
  await client.request("test/sync").catch(() => {});
  (server.received as unknown[]).splice(length);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("freshness", () => {
  test("RES-16: a result is given again for as long as its server says, and not a moment longer", async () => {
    const { client, asked } = await connected(read());
    const first = await readResource(client, "a:b");
    vi.setSystemTime(Date.now() + 999);
    expect(await readResource(client, "a:b")).toEqual(first);
    expect(asked()).toEqual(["a:b"]);
    vi.setSystemTime(Date.now() + 1);
    await readResource(client, "a:b");
    expect(asked()).toEqual(["a:b", "a:b"]);
  });

  test.each([{}, { ttlMs: 0 }, { ttlMs: -5 }, { ttlMs: "1000" }, { ttlMs: null }])(
    "RES-15, RES-17: %j is stale at once",
    async (hint) => {
      const { client, asked } = await connected(read(hint));
      await readResource(client, "a:b");
      await readResource(client, "a:b");
      expect(asked()).toHaveLength(2);
    },
  );

  test("RES-18, RES-19: nothing is asked for because its time is over, only because somebody wants it", async () => {
    const { client, asked } = await connected(read());
    await readResource(client, "a:b");
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(asked()).toHaveLength(1);
  });

  test("RES-27: a time without an end has one", async () => {
    const { client, asked } = await connected(read({ ttlMs: 1e15, cacheScope: "private" }));
    await readResource(client, "a:b");
    vi.setSystemTime(Date.now() + 86_400_000);
    await readResource(client, "a:b");
    expect(asked()).toHaveLength(2);
  });
});

describe("what is kept", () => {
  test("RES-13: an answer is one to its method and parameters, and _meta is none of them", async () => {
    const { client, asked } = await connected({ ...read(), "tools/call": ok({ content: [], ...fresh }) });
    await readResource(client, "a:b");
    await readResource(client, "a:c");
    await readResource(client, "a:b", { meta: meta({ "example.com/a": 1 }), logLevel: "debug" });
    expect(asked()).toEqual(["a:b", "a:c"]);
    await client.callTool("x");
    await client.callTool("x");
    expect(asked()).toHaveLength(4);
  });

  test("RES-13, RES-24: each page is an answer by itself, and asked for again by its own cursor", async () => {
    const { client, asked } = await connected({
      "resources/list": ({ params }) =>
        params?.["cursor"] === "2"
          ? ok({ resources: [{ uri: "a:2", name: "2" }], ttlMs: 1_000, cacheScope: "private" })
          : ok({ resources: [{ uri: "a:1", name: "1" }], nextCursor: "2", ttlMs: 5_000, cacheScope: "private" }),
    });
    await listResources(client);
    await listResources(client);
    expect(asked()).toEqual([undefined, "2"]);
    vi.setSystemTime(Date.now() + 1_000);
    expect(await listResources(client)).toHaveLength(2);
    expect(asked()).toEqual([undefined, "2", "2"]);
    vi.setSystemTime(Date.now() + 4_000);
    await listResources(client);
    expect(asked()).toEqual([undefined, "2", "2", undefined, "2"]);
  });

  test("RES-25: a refused cursor drops all pages, and the list is read from its beginning", async () => {
    let renewed = false;
    const { client, asked } = await connected({
      "resources/list": ({ params }) => {
        if (params?.["cursor"] === undefined) {
          return ok({ resources: [], nextCursor: renewed ? "new" : "old", ttlMs: 5_000, cacheScope: "private" });
        }
        if (params["cursor"] === "old" && renewed) return fail(-32602);
        return ok({ resources: [{ uri: `a:${params["cursor"]}`, name: "x" }], ttlMs: 1_000, cacheScope: "private" });
      },
    });
    await listResources(client);
    vi.setSystemTime(Date.now() + 1_000);
    renewed = true;
    expect(await listResources(client)).toEqual([{ uri: "a:new", name: "x" }]);
    expect(asked()).toEqual([undefined, "old", "old", undefined, "new"]);
    await listResources(client);
    expect(asked()).toHaveLength(5);
  });

  test("RES-14: neither a question nor what its answers led to is kept", async () => {
    const around = (send: Send): Send => {
      const making = { send, hearing: new Set(), told: new Set() } as unknown as Making;
      responseCache()(making);
      return making.send;
    };
    const send = vi.fn(async () => ({ type: "complete" as const, result: { contents: [], ...fresh } }));
    const cached = around(send);
    const session = {} as Parameters<Send>[0];
    const params = { uri: "a:b" };
    await cached(session, "resources/read", params, { inputResponses: {} } as never);
    await cached(session, "resources/read", params, { requestState: "" } as never);
    await cached(session, "resources/read", params, {} as never);
    expect(send).toHaveBeenCalledTimes(3);
    await cached(session, "resources/read", params, { requestState: "s" } as never);
    expect(send).toHaveBeenCalledTimes(4);
    const asks = vi.fn(async () => ({ type: "input_required", result: { requestState: "s" } }));
    const asking = around(asks);
    await asking(session, "resources/read", params, {} as never);
    await asking(session, "resources/read", params, {} as never);
    expect(asks).toHaveBeenCalledTimes(2);
  });

  test("a cache is used, refreshed or left alone as the request says", async () => {
    let n = 0;
    const { client } = await connected({
      "resources/read": () => ok({ contents: [{ uri: "a:b", text: `${++n}` }], ...fresh }),
    });
    const text = async (cache?: "use" | "refresh" | "bypass"): Promise<string | undefined> =>
      (await readResource(client, "a:b", { cache })).contents[0]?.text;
    expect(await text()).toBe("1");
    expect(await text("bypass")).toBe("2");
    expect(await text("use")).toBe("1");
    expect(await text("refresh")).toBe("3");
    expect(await text()).toBe("3");
  });

  test("a client without a cache asks each time", async () => {
    const server = createScriptedServer({
      "server/discover": ok({ supportedVersions: ["2026-07-28"], capabilities }),
      ...read(),
    });
    const client = await connectClient({ dial: server.dial, info, eras: [statelessClient()] });
    await readResource(client, "a:b");
    await readResource(client, "a:b");
    expect(server.methods).toHaveLength(3);
  });
});

describe("whose it is", () => {
  const everyones = { ttlMs: 1_000, cacheScope: "public" };

  async function two(extra: object, first: Setting, second: Setting): Promise<number> {
    const one = await connected(read(extra), first);
    const other = await connected(read(extra), second);
    await readResource(one.client, "a:b");
    await readResource(other.client, "a:b");
    return one.asked().length + other.asked().length;
  }

  test("RES-21: what is private is not given to another caller", async () => {
    const cache = responseCache({ sharePublic: true });
    const authority = "https://x.test/mcp";
    expect(await two(fresh, { cache, authority, partition: "ada" }, { cache, authority, partition: "bob" })).toBe(2);
    expect(
      await two({ ttlMs: 1_000 }, { cache, authority, partition: "a" }, { cache, authority, partition: "b" }),
    ).toBe(2);
    expect(await two(fresh, { cache, authority }, { cache, authority })).toBe(2);
    expect(await two(fresh, { cache, authority, partition: "eve" }, { cache, authority, partition: "eve" })).toBe(1);
  });

  test("RES-22: what is public is given to everyone, where that is switched on", async () => {
    const authority = "https://x.test/mcp";
    const on = responseCache({ sharePublic: true });
    const off = responseCache();
    const [ada, bob] = [
      { authority, partition: "ada" },
      { authority, partition: "bob" },
    ];
    expect(await two(everyones, { cache: on, ...ada }, { cache: on, ...bob })).toBe(1);
    expect(await two(everyones, { cache: off, ...ada }, { cache: off, ...bob })).toBe(2);
  });

  test("servers share nothing, and neither do those whose name nobody knows", async () => {
    const cache = responseCache({ sharePublic: true });
    expect(await two(everyones, { cache, authority: "https://x.test" }, { cache, authority: "https://y.test" })).toBe(
      2,
    );
    expect(await two(everyones, { cache }, { cache })).toBe(2);
  });
});

describe("what makes it stale", () => {
  const lists: Answers = {
    ...read(),
    "tools/list": ok({ tools: [], ...fresh }),
    "prompts/list": ok({ prompts: [], ...fresh }),
    "resources/list": ok({ resources: [], ...fresh }),
  };

  async function fill(client: Client): Promise<void> {
    await listTools(client);
    await listPrompts(client);
    await listResources(client);
    for (const uri of ["file:///d", "file:///d/a", "file:///dx"]) await readResource(client, uri);
  }

  test.each([
    ["notifications/tools/list_changed", {}, ["tools/list"]],
    ["notifications/prompts/list_changed", {}, ["prompts/list"]],
    ["notifications/resources/list_changed", {}, ["resources/list"]],
    ["notifications/resources/updated", { uri: "file:///d/a" }, ["file:///d", "file:///d/a"]],
    ["notifications/resources/updated", { uri: "file:///d" }, ["file:///d", "file:///d/a"]],
    ["notifications/resources/updated", { uri: "file:///dx" }, ["file:///dx"]],
    ["notifications/other", {}, []],
  ])("RES-23: %s %j drops what it is about and nothing else", async (method, params, dropped) => {
    const { client, server } = await connected(lists);
    await fill(client);
    const { length } = server.received;
    expect(length).toBe(7);
    await tell(client, server, method, params);
    await fill(client);
    expect(server.received.slice(length).map((sent) => sent.params?.["uri"] ?? sent.method)).toEqual(dropped);
  });

  test("RES-23: an answer that was on its way when something changed is not kept", async () => {
    const { client, server } = await connected({
      "tools/list": (_, run) => {
        run.send({ method: "notifications/tools/list_changed" });
        return ok({ tools: [], ...fresh });
      },
    });
    await listTools(client);
    await listTools(client);
    expect(server.methods.slice(1)).toEqual(["tools/list", "tools/list"]);
  });

  test("RES-20: an error that says so makes a list doubtful", async () => {
    const { client, server } = await connected({ ...lists, "tools/call": fail(-32602, "Unknown tool") });
    await listTools(client);
    await client.callTool("gone").catch(() => {});
    await listTools(client);
    expect(server.methods.slice(1)).toEqual(["tools/list", "tools/call", "tools/list"]);
  });

  test("RES-20: what is stale is given when its server is gone, where that is switched on", async () => {
    for (const staleIfError of [true, false]) {
      let gone = false;
      const { client } = await connected(
        {
          "resources/read": () => (gone ? "exit" : ok({ contents: [{ uri: "a:b", text: "old" }], ...fresh })),
        },
        { cache: responseCache({ staleIfError }) },
      );
      const first = await readResource(client, "a:b");
      vi.setSystemTime(Date.now() + 1_000);
      gone = true;
      const second = readResource(client, "a:b");
      if (staleIfError) expect(await second).toEqual(first);
      else await expect(second).rejects.toMatchObject({ code: "CLOSED" });
    }
  });
});

describe("stores", () => {
  test("a store of one's own may take its time", async () => {
    const inside = memoryCache();
    const store: CacheStore = {
      get: async (key) => inside.get(key),
      set: async (key, entry) => inside.set(key, entry),
      delete: async (key) => inside.delete(key),
      keys: async (prefix) => inside.keys(prefix),
    };
    const { client, server } = await connected(read(), { cache: responseCache({ store }) });
    await readResource(client, "a:b");
    await readResource(client, "a:b");
    expect(server.methods).toHaveLength(2);
    await tell(client, server, "notifications/resources/updated", { uri: "a:b" });
    await readResource(client, "a:b");
    expect(server.methods).toHaveLength(3);
  });

  test("what is given is frozen to the bottom: nobody changes it for the next", async () => {
    const { client } = await connected(read());
    const { contents } = await readResource(client, "a:b");
    expect(() => Object.assign(contents[0] ?? {}, { text: "poison" })).toThrow(TypeError);
    expect(() => (contents as unknown[]).push("poison")).toThrow(TypeError);
    expect((await readResource(client, "a:b")).contents).toEqual([{ uri: "a:b", text: "t" }]);
  });

  test.each([
    [3, ["b:x"]],
    [3_000, ["a:0", "b:x"]],
  ])("a burst of %i changes is one look at the store", async (count, dropped) => {
    const store = memoryCache();
    const keys = vi.spyOn(store, "keys");
    const { client, server, asked } = await connected(read(), { cache: responseCache({ store }) });
    for (const uri of ["a:0", "b:x"]) await readResource(client, uri);
    for (let at = 0; at < count; at += 1) {
      const uri = at === 0 ? "b:x" : `c:${at}`;
      server.last.send({ method: "notifications/resources/updated", params: { uri } });
    }
    await client.request("test/sync").catch(() => {});
    for (const uri of ["a:0", "b:x"]) await readResource(client, uri);
    expect(asked().filter(Boolean)).toEqual(["a:0", "b:x", ...dropped]);
    expect(keys.mock.calls.length).toBeLessThan(count);
    expect(keys.mock.calls.length).toBeLessThan(40);
  });

  test("what a store failed to drop is not given", async () => {
    const inside = memoryCache();
    let broken = false;
    const keys: CacheStore["keys"] = (prefix) => {
      if (broken) throw new Error("no disk");
      return inside.keys(prefix);
    };
    const { client, server, asked } = await connected(read(), { cache: responseCache({ store: { ...inside, keys } }) });
    await readResource(client, "a:b");
    broken = true;
    await tell(client, server, "notifications/resources/updated", { uri: "a:b" });
    await expect(readResource(client, "a:b")).rejects.toThrow("no disk");
    broken = false;
    await readResource(client, "a:b");
    expect(asked()).toEqual(["a:b", "a:b"]);
  });

  test("what was used longest ago is forgotten first", async () => {
    const store = memoryCache({ maxEntries: 2 });
    const entry = { result: {}, freshUntilMs: 0 };
    await store.set("a", entry);
    await store.set("b", entry);
    await store.get("a");
    await store.set("c", entry);
    expect([...(await store.keys(""))].sort()).toEqual(["a", "c"]);
  });
});
