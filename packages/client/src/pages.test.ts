import type { JsonObject } from "@parlance/jsonrpc";
import { statelessClient } from "@parlance/protocol-versions";
import { describe, expect, test, vi } from "vitest";
import type { Client } from "./client.js";
import { type ClientOptions, connectClient } from "./connect.js";
import type { ListOptions } from "./pages.js";
import { eachPrompt, listPrompts } from "./prompts.js";
import { eachResource, eachResourceTemplate, listResources, listResourceTemplates } from "./resources.js";
import {
  type Answers,
  createScriptedServer,
  fail,
  ok,
  type ScriptedServer,
  statelessAnswers,
} from "./scripted-server.fixture.js";
import { eachTool, listTools } from "./tools.js";

const info = { name: "test", version: "1" };
const announced = ok({
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {}, resources: {}, prompts: {} },
});

async function connected(
  answers: Answers,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = createScriptedServer({ ...statelessAnswers, "server/discover": announced, ...answers });
  return { server, client: await connectClient({ dial: server.dial, info, eras: [statelessClient()], ...options }) };
}

interface Row {
  readonly method: string;
  readonly member: string;
  readonly make: (name: string) => JsonObject;
  readonly bad: readonly unknown[];
  readonly list: (client: Client, options?: ListOptions) => Promise<readonly JsonObject[]>;
  readonly each: (client: Client, options?: ListOptions) => AsyncGenerator<JsonObject, void>;
}

const rows: readonly Row[] = [
  {
    method: "tools/list",
    member: "tools",
    make: (name) => ({ name, inputSchema: { type: "object" }, "x-odd": 1 }),
    bad: [null, 1, [], {}, { name: 1, inputSchema: {} }, { name: "x" }, { name: "y", inputSchema: null }],
    list: (client, options) => listTools(client, options),
    each: eachTool,
  },
  {
    method: "resources/list",
    member: "resources",
    make: (name) => ({ uri: `a:${name}`, name, "x-odd": 1 }),
    bad: [null, "a:b", [], {}, { uri: "a:b" }, { name: "x" }, { uri: 1, name: "x" }],
    list: listResources,
    each: eachResource,
  },
  {
    method: "resources/templates/list",
    member: "resourceTemplates",
    make: (name) => ({ uriTemplate: `a:${name}/{x}`, name, "x-odd": 1 }),
    bad: [null, {}, { uriTemplate: "a:{b}" }, { name: "x" }, { uri: "a:b", name: "x" }],
    list: listResourceTemplates,
    each: eachResourceTemplate,
  },
  {
    method: "prompts/list",
    member: "prompts",
    make: (name) => ({ name, arguments: [{ name: "x", required: true }], "x-odd": 1 }),
    bad: [null, {}, { name: 1 }, { name: "x", arguments: {} }, { name: "y", arguments: [{}] }],
    list: listPrompts,
    each: eachPrompt,
  },
];

async function gather<T>(each: AsyncGenerator<T, void>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of each) all.push(one);
  return all;
}

describe.each(rows)("$method", ({ method, member, make, bad, list, each }) => {
  const pages = [["a"], [], ["b", "c"]];
  const inPages: Answers = {
    [method]: ({ params }) => {
      const at = Number(params?.["cursor"] ?? 0);
      return ok({
        [member]: pages[at]?.map(make),
        ...(at + 1 < pages.length ? { nextCursor: String(at + 1) } : {}),
      });
    },
  };
  const all = ["a", "b", "c"].map(make);

  test("PRM-11: all pages make one list, with all that is in them", async () => {
    const { client } = await connected(inPages);
    expect(await list(client)).toEqual(all);
    expect(await gather(each(client))).toEqual(all);
  });

  test("one by one, a page is asked for when the one before is used up, and none after the last that is wanted", async () => {
    const { client, server } = await connected(inPages);
    const walk = each(client);
    expect(server.methods).toEqual(["server/discover"]);
    expect((await walk.next()).value).toEqual(all[0]);
    expect(server.methods.length).toBe(2);
    await walk.return();
    expect(await gather(walk)).toEqual([]);
    expect(server.methods.length).toBe(2);
  });

  test("what is no entry is left out with a report, what came before too, and the others stay", async () => {
    const report = vi.fn();
    const good = make("good");
    const { client } = await connected({ [method]: ok({ [member]: [...bad, good, good] }) }, { report });
    expect(await list(client)).toEqual([good]);
    const told = report.mock.calls.map(([what]) => (member === "tools" ? what.tool : what.entry));
    expect(told).toEqual([...bad, good]);
    for (const [{ kind, reason }] of report.mock.calls) {
      expect(kind).toBe(member === "tools" ? "tool_left_out" : "entry_left_out");
      expect(reason).toMatch(/^it has no |came before$/);
    }
  });

  test("PAG-04: an empty cursor is a cursor; PAG-05: null is the end", async () => {
    const { client } = await connected({
      [method]: ({ params }) =>
        ok(
          params?.["cursor"] === ""
            ? { [member]: [make("b")], nextCursor: null }
            : { [member]: [make("a")], nextCursor: "" },
        ),
    });
    expect(await list(client)).toEqual(["a", "b"].map(make));
  });

  test("BUG-117, BUG-118, PAG-06: a cursor that comes again, and a page too many, end it with an error", async () => {
    const { client } = await connected({ [method]: ok({ [member]: [make("a")], nextCursor: "" }) });
    await expect(list(client)).rejects.toMatchObject({ code: "BAD_REPLY", details: { method, cursor: "", pages: 2 } });
    await expect(list(client, { maxPages: 1 })).rejects.toMatchObject({ message: expect.stringContaining("1 pages") });
  });

  test("a cursor nested too deep to be written is named, and no failure of ours", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const { client } = await connected({
      [method]: ({ id }) => ({
        raw: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"${member}":[],"nextCursor":${deep}}}`,
      }),
    });
    await expect(list(client)).rejects.toMatchObject({ code: "BAD_REPLY", details: { method } });
  });

  test("all pages together take no longer than they may in all", async () => {
    vi.useFakeTimers();
    try {
      let page = 0;
      const { client } = await connected({
        [method]: async () => {
          await vi.advanceTimersByTimeAsync(400);
          return ok({ [member]: [], nextCursor: `${page++}` });
        },
      });
      await expect(list(client, { timeoutMs: 500, maxTotalMs: 1_000 })).rejects.toMatchObject({ code: "TIMEOUT" });
      expect(page).toBeLessThanOrEqual(3);
    } finally {
      vi.useRealTimers();
    }
  });

  test("RES-25: a cursor that is refused has the list read from its beginning, once", async () => {
    let refused = 0;
    const { client, server } = await connected({
      [method]: ({ params }) => {
        if (params?.["cursor"] === "old") return fail(-32602, `refused ${refused++}`);
        if (refused === 0) return ok({ [member]: [make("a"), make("gone")], nextCursor: "old" });
        return ok({ [member]: [make("a"), make("b")] });
      },
    });
    expect(await list(client)).toEqual(["a", "b"].map(make));
    expect(server.received.slice(1).map(({ params }) => params?.["cursor"])).toEqual([undefined, "old", undefined]);
    refused = 0;
    expect(await gather(each(client))).toEqual(["a", "gone", "b"].map(make));
    const { client: stubborn } = await connected({
      [method]: ({ params }) => (params?.["cursor"] === "old" ? fail(-32602) : ok({ [member]: [], nextCursor: "old" })),
    });
    await expect(list(stubborn)).rejects.toMatchObject({ code: -32602 });
  });

  test("PRM-12: what the server does not announce is not asked for", async () => {
    const { client, server } = await connected({
      "server/discover": ok({ supportedVersions: ["2026-07-28"], capabilities: {} }),
    });
    await expect(list(client)).rejects.toMatchObject({ code: "UNSUPPORTED" });
    await expect(gather(each(client))).rejects.toMatchObject({ code: "UNSUPPORTED" });
    expect(server.methods).toEqual(["server/discover"]);
  });
});
