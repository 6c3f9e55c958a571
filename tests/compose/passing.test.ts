import {
  complete,
  getPrompt,
  type ListenEvent,
  listen,
  listPrompts,
  listResources,
  listResourceTemplates,
  listTools,
  meta as metaOf,
  readResource,
} from "@parlance/client";
import { combine, mount } from "@parlance/server/compose";
import { connectInMemory } from "@parlance/testing";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { afterEach, describe, expect, test } from "vitest";
import { type Gateway, type GatewayOptions, logsOf, open, ways } from "./gateway.js";
import { createOrigin, icons, meta } from "./origin.js";

const opened: Gateway[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

async function through(options: GatewayOptions, origin = createOrigin()): Promise<Gateway & { origin: typeof origin }> {
  const gateway = await open(origin.server, options);
  opened.push(gateway);
  return { ...gateway, origin };
}

describe.each(ways)("a %s server, seen by a %s caller", (far, near) => {
  test("has the same lists, with all that is said in them", async () => {
    const { client, origin } = await through({ far, near });
    const direct = await connectInMemory(origin.server, { era: near });
    expect(client.server.capabilities).toEqual({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    });
    const read = async (from: typeof client) => [
      await listTools(from),
      await listResources(from),
      await listResourceTemplates(from),
      await listPrompts(from),
    ];
    const lists = await read(client);
    expect(lists).toEqual(await read(direct));
    expect(lists[0]).toMatchObject([{ name: "ask" }, { name: "fail" }, { name: "rich", icons, _meta: meta }, {}, {}]);
    await direct.close();
  });

  test("META-07: _meta keys nobody knows are preserved end to end, on requests and results", async () => {
    const { client } = await through({ far, near });
    const result = await client.callTool("rich", { text: "hi" }, { meta: metaOf({ "com.example/asked": "here" }) });
    expect(result._meta).toMatchObject({ ...meta, seen: "here" });
    expect(result.content).toEqual([
      { type: "text", text: "hi", annotations: { priority: 1 }, _meta: meta },
      { type: "resource_link", uri: "note://a", name: "a", title: "A" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    ]);
  });

  test("reads, prompts and completes", async () => {
    const { client } = await through({ far, near });
    expect((await readResource(client, "note://by/me")).contents).toMatchObject([{ text: "by me" }]);
    expect((await getPrompt(client, "review", { style: "terse" })).messages).toMatchObject([
      { content: { text: "Be terse" } },
    ]);
    expect((await complete(client, { type: "ref/prompt", name: "review" }, "style", "k")).values).toEqual(["kind"]);
    expect((await complete(client, { type: "ref/resource", uri: "note://by/{id}" }, "id", "t")).values).toEqual([
      "two",
    ]);
  });

  test("BUG-71: code, message and data of an error reach the caller unchanged through a proxy", async () => {
    const { client } = await through({ far, near });
    await expect(client.callTool("fail")).rejects.toMatchObject({
      code: 4242,
      message: "nope",
      data: { retryAfter: [1] },
    });
    await expect(readResource(client, "note://none")).rejects.toMatchObject({
      code: near === "stateless" ? -32602 : -32002,
      data: { uri: "note://none" },
    });
    await expect(getPrompt(client, "none")).rejects.toMatchObject({ code: -32602 });
    await expect(client.callTool("none")).rejects.toMatchObject({ code: -32602, message: 'Unknown tool "none"' });
    await expect(client.request("tools/list", { cursor: "made up" })).rejects.toMatchObject({ code: -32602 });
  });

  test("reports progress, and logs", async () => {
    const { client } = await through({ far, near });
    const logs = await logsOf(client);
    const progress: unknown[] = [];
    const result = await client.callTool("steps", {}, { onProgress: (...step) => progress.push(step) });
    expect(result.content).toMatchObject([{ text: "done" }]);
    expect(progress).toEqual([
      [1, 2, "half"],
      [2, 2, "all"],
    ]);
    expect(logs).toEqual(["working"]);
  });

  test("is told that a call is cancelled", async () => {
    const { client, origin } = await through({ far, near });
    const stop = new AbortController();
    const call = client.callTool("wait", {}, { signal: stop.signal });
    call.catch(() => {});
    await origin.waits;
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    expect(await origin.calledOff).toBeInstanceOf(Error);
  });

  test("tells of changes, of lists and of the resources that are watched", async () => {
    const { client, origin } = await through({ far, near });
    const events: ListenEvent[] = [];
    let heard = (): void => {};
    const next = async (count: number): Promise<void> => {
      while (events.length < count) {
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
    };
    const filter = { toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ["note://a"] };
    const subscription = await listen(client, filter, (event) => {
      events.push(event);
      heard();
    });
    expect(subscription.honored).toEqual(filter);
    while (!origin.watched.has("note://a")) await new Promise((resolve) => setImmediate(resolve));
    origin.tools.remove("fail");
    await next(1);
    expect(events).toEqual([{ type: "tools" }]);
    expect((await listTools(client)).map(({ name }) => name)).not.toContain("fail");
    origin.resources.updated("note://a");
    await next(2);
    expect(events[1]).toEqual({ type: "resource", uri: "note://a" });
    await subscription.close();
    while (origin.watched.size > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});

test.each(["2024-11-05", "2025-06-18"])("newer members and blocks do not leak to a session of %s", async (version) => {
  const { client, origin } = await through({ far: "stateless", near: "handshake", version });
  const direct = await connectInMemory(origin.server, { version: version as never });
  expect(await client.request("tools/list")).toEqual(await direct.request("tools/list"));
  const params = { name: "rich", arguments: { text: "x" } };
  const result = await client.request("tools/call", params);
  expect(result).toEqual(await direct.request("tools/call", params));
  for (const newer of ["resultType", "ttlMs", "cacheScope"]) expect(result).not.toHaveProperty(newer);
  await direct.close();
});

test("CACHE: how long a list may be kept is passed on", async () => {
  const { client } = await through({ far: "stateless", near: "stateless" });
  expect(await client.request("tools/list")).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
});

test("servers of both eras are mounted beside tools of one's own, in pages", async () => {
  const own = createToolRegistry([tool({ name: "own", description: "Is here", run: () => "own" })]);
  const other = createOrigin();
  const remote = await open(other.server, { far: "handshake", near: "stateless" });
  opened.push(remote);
  const { client } = await through({
    far: "stateless",
    near: "handshake",
    around: (proxy) => combine(own, mount("a_", proxy), mount("b_", remote.server)),
  });
  const names = (await listTools(client)).map(({ name }) => name);
  expect(names).toHaveLength(11);
  expect(names.slice(0, 3)).toEqual(["own", "a_ask", "a_fail"]);
  for (const name of ["own", "a_steps", "b_steps"]) {
    expect((await client.callTool(name)).content).toMatchObject([{ text: name === "own" ? "own" : "done" }]);
  }
  await expect(client.callTool("a_own")).rejects.toMatchObject({ code: -32602 });
});
