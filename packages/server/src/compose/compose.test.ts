import { paged } from "@parlance/protocol-versions";
import { describe, expect, test, vi } from "vitest";
import { type Caller, serving, settled } from "../caller.fixture.js";
import { combine, mount } from "../compose.js";
import {
  type Call,
  changesOf,
  createPrompts,
  createResources,
  createServer,
  type FeatureSet,
  handshake,
  prompt,
  stateless,
} from "../index.js";

const eras = [stateless(), handshake()];

/** Tools by name, of which each says what it was called as. */
function tools(...names: readonly string[]): FeatureSet {
  return {
    capabilities: { tools: {} },
    promises: { tools: { listChanged: true } },
    methods: {
      "tools/list": () => ({
        type: "complete",
        result: { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) },
        cache: { ttlMs: 1_000 * names.length, scope: "public" },
      }),
      "tools/call": ({ params: { name } }) =>
        names.includes(String(name))
          ? {
              type: "complete",
              result: {
                content: [
                  { type: "text", text: name },
                  { type: "resource_link", uri: "note://a", name: "a" },
                ],
              },
            }
          : { type: "refused", reason: "invalid_params", message: `Unknown tool ${name}` },
    },
  };
}

const review = prompt({ name: "review", arguments: { style: { complete: ["terse", "kind"] } }, get: () => "Go on" });

async function namesOf(caller: Caller, method: string, member: string, key = "name"): Promise<string[]> {
  const { result } = await caller.ask(method);
  return result[member].map((item: Record<string, string>) => item[key]);
}

describe("under a prefix", () => {
  const all = combine(
    tools("log"),
    mount("git_", [tools("log", "diff"), createPrompts([review])]),
    mount("web/", tools("get")),
  );
  const visitor = serving([all], eras).visitor();

  test("tools and prompts are listed together, and each is called by its name", async () => {
    expect(await namesOf(visitor, "tools/list", "tools")).toEqual(["log", "git_log", "git_diff", "web/get"]);
    for (const [name, own] of [
      ["log", "log"],
      ["git_log", "log"],
      ["web/get", "get"],
    ]) {
      expect((await visitor.ask("tools/call", { name })).result.content[0]).toEqual({ type: "text", text: own });
    }
    expect(await namesOf(visitor, "prompts/list", "prompts")).toEqual(["git_review"]);
    expect((await visitor.ask("prompts/get", { name: "git_review" })).result.messages).toHaveLength(1);
  });

  test("what nobody has is refused as by one server", async () => {
    for (const name of ["git_push", "diff", "web/"]) {
      expect((await visitor.ask("tools/call", { name })).error).toMatchObject({ code: -32602 });
    }
    expect((await visitor.ask("prompts/get", { name: "review" })).error).toMatchObject({ code: -32602 });
  });

  test("arguments of prompts are completed", async () => {
    const ask = (name: string) =>
      visitor.ask("completion/complete", {
        ref: { type: "ref/prompt", name },
        argument: { name: "style", value: "t" },
      });
    expect((await ask("git_review")).result.completion.values).toEqual(["terse"]);
    expect((await ask("review")).error).toMatchObject({ code: -32602, message: 'there is no prompt "review"' });
  });

  test("a list may be kept for as long as the shortest says", async () => {
    expect((await visitor.ask("tools/list")).result).toMatchObject({ ttlMs: 1_000, cacheScope: "public" });
  });

  test("a prefix that names cannot begin with is refused", () => {
    expect(() => mount("my tools ", tools())).toThrow('prefix is "my tools "');
    expect(() => mount("", tools(), { uriPrefix: "//" })).toThrow('uriPrefix is "//"');
  });
});

describe("pages", () => {
  const page = (names: readonly string[]) =>
    createPrompts(
      names.map((name) => prompt({ name, get: () => name })),
      { pages: paged(2), cache: { ttlMs: 5, scope: "public" } },
    );

  test("PAG: all lists are read page by page, with one scope on all of them", async () => {
    const visitor = serving(
      [combine(page(["a", "b", "c"]), tools(), mount("x_", page(["d", "e", "f"])))],
      eras,
    ).visitor();
    const read: string[] = [];
    const scopes = new Set<string>();
    let cursor: string | undefined;
    for (let count = 0; count < 9; count += 1) {
      const { result } = await visitor.ask("prompts/list", cursor === undefined ? {} : { cursor });
      read.push(...result.prompts.map(({ name }: { name: string }) => name));
      scopes.add(result.cacheScope);
      cursor = result.nextCursor;
      if (cursor === undefined) break;
    }
    expect(read).toEqual(["a", "b", "c", "x_d", "x_e", "x_f"]);
    expect([...scopes]).toEqual(["private"]);
  });

  test("PAG: a cursor that was never given out is refused", async () => {
    const visitor = serving([combine(page(["a", "b", "c"]), page(["d"]))], eras).visitor();
    const { nextCursor } = (await visitor.ask("prompts/list")).result;
    for (const cursor of ["", "0:", "2:x", "x", "-1:", `1${nextCursor.slice(1)}0`, `0${nextCursor}`, 5]) {
      expect((await visitor.ask("prompts/list", { cursor })).error, String(cursor)).toMatchObject({ code: -32602 });
    }
    expect((await visitor.ask("prompts/list", { cursor: nextCursor })).result.prompts).toHaveLength(2);
  });

  test("the same list is the same object, until it changes", async () => {
    const [one, two] = [createPrompts([review]), createPrompts()];
    const feature = combine(one, mount("x_", two)).methods["prompts/list"];
    const call = { params: {} } as Call;
    const first = await feature?.(call);
    expect(first).toMatchObject({ stable: true });
    expect(await feature?.(call)).toBe(first);
    two.add(prompt({ name: "late", get: () => "late" }));
    expect(await feature?.(call)).toMatchObject({ result: { prompts: [{ name: "review" }, { name: "x_late" }] } });
  });
});

describe("resources", () => {
  const notes = () => createResources([{ uri: "note://a", name: "a", read: () => "A" }], { watch: true });

  test("keep their URIs, and are read wherever they are", async () => {
    const files = createResources([{ uri: "file:///b", name: "b", read: () => "B" }]);
    const visitor = serving([combine(files, mount("n_", notes()))], eras).visitor();
    expect(await namesOf(visitor, "resources/list", "resources", "uri")).toEqual(["file:///b", "note://a"]);
    for (const [uri, text] of [
      ["file:///b", "B"],
      ["note://a", "A"],
    ]) {
      expect((await visitor.ask("resources/read", { uri })).result.contents).toEqual([{ uri, text }]);
    }
    expect((await visitor.ask("resources/read", { uri: "note://c" })).error).toMatchObject({
      data: { uri: "note://c" },
    });
  });

  test("have a prefix in all that names them, if one is asked for", async () => {
    const set = combine(notes(), mount("n_", [tools("link"), notes()], { uriPrefix: "n+" }));
    const visitor = serving([set], eras).visitor();
    expect(await namesOf(visitor, "resources/list", "resources", "uri")).toEqual(["note://a", "n+note://a"]);
    expect((await visitor.ask("resources/read", { uri: "n+note://a" })).result.contents).toMatchObject([
      { uri: "n+note://a" },
    ]);
    expect((await visitor.ask("tools/call", { name: "n_link" })).result.content[1].uri).toBe("n+note://a");
    expect((await visitor.ask("resources/read", { uri: "n+note://b" })).error).toMatchObject({ code: -32602 });
  });

  test("are watched under the URI that they have", async () => {
    const [own, other] = [notes(), notes()];
    const session = await serving([combine(own, mount("", other, { uriPrefix: "n+" }))], eras).session();
    await session.ask("resources/subscribe", { uri: "n+note://a" });
    own.updated("note://a");
    await settled();
    expect(session.told).toEqual([]);
    other.updated("note://a");
    await settled();
    expect(session.told).toEqual([{ method: "notifications/resources/updated", params: { uri: "n+note://a" } }]);
    await session.ask("resources/subscribe", { uri: "note://a" });
    await session.ask("resources/unsubscribe", { uri: "n+note://a" });
    other.updated("note://a");
    own.updated("note://a");
    await settled();
    expect(session.told.at(-1)).toEqual({ method: "notifications/resources/updated", params: { uri: "note://a" } });
    expect(session.told).toHaveLength(2);
  });
});

describe("a server", () => {
  const info = { name: "inner", version: "1.0.0" };

  test("brings its middleware, its changes and the listener of its errors", async () => {
    const seen: unknown[] = [];
    const prompts = createPrompts([review]);
    const inner = createServer({
      info,
      features: [prompts, tools("log")],
      middleware: [
        (next) => (call) => {
          seen.push([call.method, call.params["name"]]);
          return next(call);
        },
      ],
    });
    const { session } = serving([combine(tools("own"), mount("i_", inner))], eras);
    const caller = await session();
    await caller.ask("tools/call", { name: "own" });
    await caller.ask("tools/call", { name: "i_log" });
    expect(seen).toEqual([["tools/call", "log"]]);
    prompts.remove("review");
    changesOf(inner).tools();
    await settled();
    expect(caller.told.map(({ method }) => method).sort()).toEqual([
      "notifications/prompts/list_changed",
      "notifications/tools/list_changed",
    ]);
    expect(await namesOf(caller, "prompts/list", "prompts")).toEqual([]);
  });

  test("is let go when the outer one is closed", async () => {
    const inner = createServer({ info, features: [createPrompts()] });
    const { server } = serving([mount("i_", inner)], eras);
    const publish = vi.fn();
    inner.changes.subscribe(publish);
    await server.close();
    changesOf(inner).tools();
    expect(publish).toHaveBeenCalledTimes(1);
  });
});

test("sets that cannot be one are refused, and what to do is said", () => {
  const custom = (): FeatureSet => ({ capabilities: {}, methods: { "x/y": () => ({ type: "complete", result: {} }) } });
  expect(() => combine(custom(), custom())).toThrow('two feature sets answer "x/y"');
  expect(() => combine({ ...custom(), eras: ["stateless"] })).toThrow("by itself");
  const extension = (id: string): FeatureSet => ({ ...custom(), methods: {}, extension: { id, listens: {} } });
  expect(() => combine(extension("a/b"), extension("c/d"))).toThrow("each of the extensions a/b and c/d");
});
