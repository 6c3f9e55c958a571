import { watching } from "@parlance/protocol-versions";
import { describe, expect, test } from "vitest";
import { serving, settled } from "../caller.fixture.js";
import {
  changesOf,
  createPrompts,
  createResources,
  type FeatureSet,
  handshake,
  paged,
  prompt,
  resourceTemplate,
  stateless,
} from "../index.js";
import { connectListener } from "../listener.fixture.js";

const eras = [stateless(), handshake()];
const serve = (features: readonly FeatureSet[]) => serving(features, eras);

const config = { uri: "config://app", name: "config", mimeType: "application/json", read: () => "{}" };
const logo = { uri: "test://logo", name: "logo", mimeType: "image/png", read: () => Uint8Array.of(255, 255, 0) };
const data = resourceTemplate({
  uriTemplate: "test://template/{id}/data",
  name: "data",
  mimeType: "text/plain",
  read: ({ id }) => (id === "none" ? undefined : `id ${id}`),
});

const { visitor, session } = serve([createResources([logo, config, data])]);

describe("reading", () => {
  test("RSC-05: text is text and bytes are base64, and a content has one of the two", async () => {
    const { ask } = visitor();
    expect((await ask("resources/read", { uri: "config://app" })).result.contents).toEqual([
      { uri: "config://app", mimeType: "application/json", text: "{}" },
    ]);
    expect((await ask("resources/read", { uri: "test://logo" })).result.contents).toEqual([
      { uri: "test://logo", mimeType: "image/png", blob: "//8A" },
    ]);
  });

  test("RSC-04: one read gives several contents, under URIs of their own", async () => {
    const folder = {
      uri: "test://d",
      name: "d",
      mimeType: "text/plain",
      read: () => [
        { uri: "test://d/a", text: "a" },
        { blob: "AA==", mimeType: "image/png", _meta: { "x/y": 1 } },
      ],
    };
    const whole = { uri: "test://w", name: "w", read: () => ({ contents: [{ text: "" }], _meta: { n: 1 } }) };
    const { ask } = serve([createResources([folder, whole])]).visitor();
    expect((await ask("resources/read", { uri: "test://d" })).result.contents).toEqual([
      { uri: "test://d/a", mimeType: "text/plain", text: "a" },
      { uri: "test://d", mimeType: "image/png", blob: "AA==", _meta: { "x/y": 1 } },
    ]);
    expect((await ask("resources/read", { uri: "test://w" })).result).toMatchObject({
      contents: [{ uri: "test://w", text: "" }],
      _meta: { n: 1 },
    });
  });

  test("bytes of every length come back as they were", async () => {
    for (const length of [0, 1, 2, 3, 8_191, 8_192, 8_193, 100_000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => index % 251);
      const file = { uri: "test://b", name: "b", read: () => bytes };
      const { result } = await serve([createResources([file])])
        .visitor()
        .ask("resources/read", { uri: "test://b" });
      expect(Buffer.from(result.contents[0].blob, "base64").equals(bytes)).toBe(true);
    }
  });

  test("RSC-22: the variables of a template are read from the URI", async () => {
    const { ask } = visitor();
    expect((await ask("resources/read", { uri: "test://template/12%203/data" })).result.contents).toEqual([
      { uri: "test://template/12%203/data", mimeType: "text/plain", text: "id 12 3" },
    ]);
  });

  test.each(["test://nowhere", "test://template/none/data", "config://APP", "config://app/"])(
    "RSC-06, RSC-08, RSC-24: %s is not found, as −32602 with its URI",
    async (uri) => {
      const { error, result } = await visitor().ask("resources/read", { uri });
      expect(result).toBeUndefined();
      expect(error).toMatchObject({ code: -32602, data: { uri } });
    },
  );

  test.each(["test://nowhere", "test://template/none/data"])(
    "RSC-07, ERR-11: in a session %s is −32002",
    async (uri) => {
      const { error } = await (await session()).ask("resources/read", { uri });
      expect(error).toMatchObject({ code: -32002, data: { uri } });
    },
  );

  test("RSC-08: a list without contents is no resource", async () => {
    const empty = { uri: "test://e", name: "e", read: () => [] };
    const { error } = await serve([createResources([empty])])
      .visitor()
      .ask("resources/read", { uri: "test://e" });
    expect(error).toMatchObject({ code: -32602 });
  });

  test.each(["http://[::1", "no scheme", "", "not a uri", "a:%zz", "a:b\0", "a: b", 7, null, undefined])(
    "RSC-19, BUG-105: the URI %j is refused in both eras",
    async (uri) => {
      const { error } = await visitor().ask("resources/read", { uri });
      expect(error).toMatchObject({ code: -32602, data: uri === undefined ? {} : { uri } });
      expect((await (await session()).ask("resources/read", { uri })).error?.code).toBe(-32602);
    },
  );

  test("RSC-09: what fails inside is −32603 and says nothing more", async () => {
    const broken = { uri: "test://x", name: "x", read: () => Promise.reject(new Error("secret")) };
    const both = { uri: "test://y", name: "y", read: () => ({ text: "", blob: "" }) };
    const { ask } = serve([createResources([broken, both])]).visitor();
    const { error } = await ask("resources/read", { uri: "test://x" });
    expect(error).toMatchObject({ code: -32603, message: "Internal error" });
    expect((await ask("resources/read", { uri: "test://y" })).error?.code).toBe(-32603);
  });

  test("RSC-23: a resource wins over a template, and of two templates the one that says more", async () => {
    const wide = resourceTemplate({ uriTemplate: "test://{+all}", name: "wide", read: () => "wide" });
    const { ask } = serve([createResources([wide, data, logo])]).visitor();
    const read = async (uri: string) => (await ask("resources/read", { uri })).result.contents[0];
    expect(await read("test://logo")).toHaveProperty("blob");
    expect(await read("test://template/1/data")).toHaveProperty("text", "id 1");
    expect(await read("test://template/1")).toHaveProperty("text", "wide");
  });

  test("RSC-17: a file URI need be no file", async () => {
    const folder = { uri: "file:///virtual", name: "v", mimeType: "inode/directory", read: () => "a\nb" };
    const { ask } = serve([createResources([folder])]).visitor();
    expect((await ask("resources/list")).result.resources).toMatchObject([{ mimeType: "inode/directory" }]);
    expect((await ask("resources/read", { uri: "file:///virtual" })).result.contents).toHaveLength(1);
  });
});

describe("lists", () => {
  test("RSC-01, RSC-02: resources are announced and listed, in ordinal order", async () => {
    expect((await visitor().ask("server/discover")).result.capabilities).toEqual({ resources: { listChanged: true } });
    const { welcome, ask } = await session();
    expect(welcome.result.capabilities).toEqual({ resources: { listChanged: true } });
    expect((await ask("resources/list")).result).toEqual({
      resources: [
        { uri: "config://app", name: "config", mimeType: "application/json" },
        { uri: "test://logo", name: "logo", mimeType: "image/png" },
      ],
    });
    expect((await ask("resources/templates/list")).result).toEqual({
      resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "data", mimeType: "text/plain" }],
    });
  });

  test("RSC-03, BUG-107: without templates their list is empty, and without resources theirs", async () => {
    const { ask } = serve([createResources()]).visitor();
    expect((await ask("resources/templates/list")).result.resourceTemplates).toEqual([]);
    expect((await ask("resources/list")).result.resources).toEqual([]);
  });

  test("a family lists what belongs to it, and what has a URI of its own comes first", async () => {
    const users = resourceTemplate({
      uriTemplate: "users://{name}",
      name: "user",
      list: async () => [
        { uri: "users://bob", name: "Bob" },
        { uri: "users://ada", name: "Ada from the list" },
      ],
      read: ({ name }) => name,
    });
    const ada = { uri: "users://ada", name: "Ada", read: () => "Ada" };
    const { ask } = serve([createResources([users, ada], { pages: paged(1) })]).visitor();
    const first = (await ask("resources/list")).result;
    expect(first.resources).toEqual([{ uri: "users://ada", name: "Ada" }]);
    const { result } = await ask("resources/list", { cursor: first.nextCursor });
    expect(result.resources).toEqual([{ uri: "users://bob", name: "Bob" }]);
    expect(result.nextCursor).toBeUndefined();
  });

  test("PAG-08, PAG-09, BUG-119: pages hold under a caller's own view, and no other cursor does", async () => {
    const all = ["a", "b", "c", "d", "e"].map((name) => ({ uri: `t:${name}`, name, read: () => name }));
    const options = {
      pages: paged(2),
      visible: (item: { name: string }, { principal }: { principal?: { id: string } | undefined }) =>
        principal?.id === "root" || item.name !== "b",
    };
    const server = serve([createResources(all, options)]);
    const [root, guest] = [server.visitor({ id: "root", scopes: [] }), server.visitor()];
    const names = async (caller: typeof root, cursor?: string) => {
      const { result } = await caller.ask("resources/list", { cursor });
      return [result.resources.map(({ name }: { name: string }) => name).join(""), result.nextCursor];
    };
    const [firstRoot, afterB] = await names(root);
    const [firstGuest, afterC] = await names(guest);
    expect([firstRoot, firstGuest]).toEqual(["ab", "ac"]);
    expect((await names(guest, afterB))[0]).toBe("cd");
    expect(await names(guest, afterC)).toEqual(["de", undefined]);
    const again = serve([createResources(all, options)]).visitor();
    expect(await names(again, afterC)).toEqual(["de", undefined]);
    for (const cursor of ["zzz", "", 7, null]) {
      expect((await guest.ask("resources/list", { cursor })).error?.code).toBe(-32602);
    }
    expect((await guest.ask("resources/templates/list", { cursor: afterC })).error?.code).toBe(-32602);
  });

  test("RES-07, RES-12: all pages have the same scope, and reads a hint of their own", async () => {
    const kept = { ...config, cache: { ttlMs: 5, scope: "public" } as const };
    const options = {
      pages: paged(1),
      cache: { ttlMs: 9, scope: "private" },
      readCache: { ttlMs: 7, scope: "private" },
    } as const;
    const { ask } = serve([createResources([kept, logo, data], options)]).visitor();
    const hints = async (method: string, params = {}) => {
      const { ttlMs, cacheScope, nextCursor } = (await ask(method, params)).result;
      return { hint: [ttlMs, cacheScope], nextCursor };
    };
    const first = await hints("resources/list");
    expect(first.hint).toEqual([9, "private"]);
    expect(await hints("resources/list", { cursor: first.nextCursor })).toEqual({ hint: [9, "private"] });
    expect(await hints("resources/templates/list")).toMatchObject({ hint: [9, "private"] });
    expect(await hints("resources/read", { uri: "config://app" })).toMatchObject({ hint: [5, "public"] });
    expect(await hints("resources/read", { uri: "test://logo" })).toMatchObject({ hint: [7, "private"] });
  });

  test("RES-26: a list that depends on its caller and is marked public is reported", () => {
    const reports: unknown[] = [];
    createResources([], {
      visible: () => true,
      cache: { ttlMs: 1, scope: "public" },
      report: (what) => reports.push(what),
    });
    expect(reports).toEqual([{ kind: "shared_filtered_list" }]);
  });
});

test("RSC-21: what a caller may not see is unknown to it: listed, read, watched and completed", async () => {
  const secret = resourceTemplate({ uriTemplate: "s:{x}", name: "s", complete: { x: ["1"] }, read: () => "s" });
  const resources = createResources([secret, logo], {
    visible: (_, call) => call.principal !== undefined,
    watch: true,
  });
  const server = serve([resources]);
  const stranger = await server.session();
  expect((await stranger.ask("resources/list")).result.resources).toEqual([]);
  expect((await stranger.ask("resources/templates/list")).result.resourceTemplates).toEqual([]);
  for (const method of ["resources/read", "resources/subscribe"]) {
    for (const uri of ["test://logo", "s:1"]) expect((await stranger.ask(method, { uri })).error?.code).toBe(-32002);
  }
  const complete = { ref: { type: "ref/resource", uri: "s:{x}" }, argument: { name: "x", value: "" } };
  expect((await stranger.ask("completion/complete", complete)).error?.code).toBe(-32602);
  const known = await server.session("2025-11-25", { id: "me", scopes: [] });
  expect((await known.ask("resources/read", { uri: "s:1" })).result.contents).toHaveLength(1);
  expect((await known.ask("completion/complete", complete)).result.completion.values).toEqual(["1"]);
});

test("who lost the right to see a resource hears no more of it, in either era", async () => {
  const allowed = new Set(["ada", "bob"]);
  const resources = createResources([logo], {
    visible: (_, call) => call.principal !== undefined && allowed.has(call.principal.id),
    watch: true,
  });
  const server = serve([resources]);
  const [ada, bob] = [
    { id: "ada", scopes: [] },
    { id: "bob", scopes: [] },
  ];
  const [one, other] = [await server.session("2025-11-25", ada), await server.session("2025-11-25", bob)];
  for (const { ask } of [one, other]) await ask("resources/subscribe", { uri: "test://logo" });
  const streams = [await connectListener(server.server, ada), await connectListener(server.server, bob)];
  for (const { listen, came } of streams) {
    listen(1, { resourceSubscriptions: ["test://logo"], resourcesListChanged: true });
    await came(1);
  }
  allowed.delete("bob");
  resources.updated("test://logo");
  await settled();
  expect([one.told.length, other.told.length]).toEqual([1, 0]);
  allowed.add("bob");
  resources.updated("test://logo");
  changesOf(server.server).resources();
  await Promise.all(streams.map(({ came }, at) => came(4 - at)));
  const updates = streams.map(({ heard }) =>
    heard.filter(({ method }) => method === "notifications/resources/updated"),
  );
  expect(updates.map(({ length }) => length)).toEqual([2, 1]);
});

test("of several sets that let resources be watched, whichever has one tells of it", async () => {
  const [ends, changes]: [string[], (() => void)[]] = [[], []];
  const own: FeatureSet = {
    capabilities: {},
    methods: {},
    watching: watching((uri) => () => void ends.push(uri)),
    changed: (listener) => {
      changes.push(() => listener({ type: "resource", uri: "own:a" }));
      return () => {};
    },
  };
  const resources = createResources([logo], { watch: true });
  const server = serve([resources, own]);
  const one = await server.session();
  for (const uri of ["test://logo", "own:a"])
    expect((await one.ask("resources/subscribe", { uri })).result).toEqual({});
  const { listen, came } = await connectListener(server.server);
  listen(1, { resourceSubscriptions: ["test://logo", "own:a"] });
  await came(1);
  resources.updated("test://logo");
  for (const change of changes) change();
  const heard = await came(3);
  expect(
    heard
      .slice(1)
      .map(({ params }) => params.uri)
      .sort(),
  ).toEqual(["own:a", "test://logo"]);
  expect(one.told.map(({ params }) => params?.["uri"]).sort()).toEqual(["own:a", "test://logo"]);
  one.end();
  expect(ends).toEqual(["own:a"]);
});

describe("changes", () => {
  test("RSC-11: a listener is told of its resource, and the author of its first and last listener", async () => {
    const events: string[] = [];
    let touch = (): void => {};
    const resources = createResources([logo, config], {
      watch: (uri, changed) => {
        events.push(`+${uri}`);
        touch = changed;
        return () => void events.push(`-${uri}`);
      },
    });
    const server = serve([resources]);
    const [one, other] = [await server.session(), await server.session()];
    expect(one.welcome.result.capabilities).toEqual({ resources: { listChanged: true, subscribe: true } });
    expect((await one.ask("resources/subscribe", { uri: "test://logo" })).result).toEqual({});
    await other.ask("resources/subscribe", { uri: "test://logo" });
    expect(events).toEqual(["+test://logo"]);
    touch();
    resources.updated("test://logo");
    resources.updated("config://app");
    changesOf(server.server).resource("test://logo");
    await settled();
    const updated = { method: "notifications/resources/updated", params: { uri: "test://logo" } };
    expect([one.told, other.told]).toEqual([[updated], [updated]]);
    await one.ask("resources/unsubscribe", { uri: "test://logo" });
    expect(events).toHaveLength(1);
    other.end();
    expect(events).toEqual(["+test://logo", "-test://logo"]);
  });

  test("RSC-01: without `watch` nobody can listen", async () => {
    const { ask } = await session();
    expect((await ask("resources/subscribe", { uri: "test://logo" })).error?.code).toBe(-32601);
  });

  test("RSC-15: that the list changed is told, once for all changes of a turn", async () => {
    const resources = createResources([logo]);
    const { told, ask } = await serve([resources]).session();
    resources.add(config, { owner: "me" });
    resources.add(data, { owner: "me", enabled: false });
    await settled();
    expect(told).toEqual([{ method: "notifications/resources/list_changed", params: {} }]);
    expect(resources.get("test://template/{id}/data")).toBe(data);
    expect((await ask("resources/read", { uri: "test://template/1/data" })).error?.code).toBe(-32002);
    expect(resources.enable("test://template/{id}/data")).toBe(true);
    expect(resources.enable("config://app")).toBe(false);
    expect(resources.removeOwner("me")).toEqual(["config://app", "test://template/{id}/data"]);
    expect(resources.disable("test://logo")).toBe(true);
    expect((await ask("resources/list")).result.resources).toEqual([]);
    await settled();
    expect(told).toHaveLength(2);
    expect([resources.remove("test://logo"), resources.remove("test://logo")]).toEqual([true, false]);
  });
});

describe("taking in", () => {
  test("a URI or a template that is there already is refused, and stays", () => {
    const resources = createResources([logo], {});
    resources.add(data, { owner: "me" });
    const other = { ...logo, name: "other" };
    expect(() => resources.add(other)).toThrow(expect.objectContaining({ details: { taken: "test://logo" } }));
    expect(() => resources.add(data)).toThrow(/by "me"/);
    expect(resources.get("test://logo")).toBe(logo);
  });

  test.each([
    [{ uri: "no scheme" }],
    [{ uri: "my scheme:x" }],
    [{ uri: "1a:x" }],
    [{ uri: "" }],
    [{ name: "" }],
    [{ size: -1 }],
    [{ size: 1.5 }],
    [{ annotations: { audience: ["robot"] } }],
    [{ annotations: { priority: 2 } }],
    [{ annotations: { lastModified: "yesterday" } }],
    [{ meta: { "-x": 1 } }],
    [{ icons: [{ src: "javascript:alert(1)" }] }],
    [{ icons: [{ src: "file:///x.png" }] }],
    [{ icons: [{ src: "https://x/i.png", sizes: ["big"] }] }],
    [{ icons: [{ src: "https://x/i.png", theme: "pink" }] }],
    [{ read: undefined }],
  ])("RSC-18, RSC-25, ICON-01: %j is refused", (change) => {
    const wrong = { ...logo, ...change } as unknown as typeof logo;
    expect(() => createResources([wrong])).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  test("a completer of no variable is refused", () => {
    const typo = { ...data, complete: { idd: [] } };
    expect(() => createResources([typo])).toThrow(/idd/);
  });

  test("RSC-25, ICON-01: what is right is listed, and to older sessions what they know", async () => {
    const full = {
      ...logo,
      title: "The logo",
      description: "Of the house",
      size: 3,
      annotations: { audience: ["user"], priority: 0.5, lastModified: "2025-01-12T15:00:58Z" },
      icons: [
        { src: "https://x/i.png", mimeType: "image/png", sizes: ["48x48", "any"], theme: "dark" },
        { src: "data:image/png;base64,AA==" },
      ],
      meta: { "com.example/x": 1 },
    } as const;
    const { session } = serve([createResources([full])]);
    const under = async (version: string) => (await (await session(version)).ask("resources/list")).result.resources[0];
    const { meta, read, ...listed } = full;
    expect(await under("2025-11-25")).toEqual({ ...listed, _meta: meta });
    expect(await under("2025-06-18")).not.toHaveProperty("icons");
    const { audience, priority } = full.annotations;
    expect(await under("2024-11-05")).toEqual({
      uri: "test://logo",
      name: "logo",
      description: "Of the house",
      mimeType: "image/png",
      size: 3,
      annotations: { audience, priority },
    });
  });
});

test("both kinds of completion are served together, and announced when something completes", async () => {
  const named = { ...data, complete: { id: ["12", "21"] } };
  const ask = prompt({ name: "ask", arguments: { about: { complete: ["weather"] } }, get: () => "?" });
  const { visitor, session } = serve([createResources([named]), createPrompts([ask])]);
  expect((await session()).welcome.result.capabilities).toHaveProperty("completions", {});
  const complete = async (ref: object, name: string) =>
    (await visitor().ask("completion/complete", { ref, argument: { name, value: "" } })).result.completion.values;
  expect(await complete({ type: "ref/resource", uri: "test://template/{id}/data" }, "id")).toEqual(["12", "21"]);
  expect(await complete({ type: "ref/prompt", name: "ask" }, "about")).toEqual(["weather"]);
});
