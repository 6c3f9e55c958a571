import type { Principal } from "@parlance/jsonrpc";
import { type Outcome, paged } from "@parlance/protocol-versions";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { callTool, createLocalCall, type LocalCall, listTools } from "./local.js";
import { createToolRegistry, type ToolRegistry } from "./registry.js";
import type { AnyTool } from "./tool.js";

function named(name: string, more: Partial<AnyTool> = {}): AnyTool {
  return { name, description: "", run: () => name, ...more };
}

function names(registry: ToolRegistry, call?: LocalCall): readonly string[] {
  return listTools(registry, call).map(({ name }) => name);
}

async function listed(registry: ToolRegistry, params = {}, given?: LocalCall): Promise<Outcome | undefined> {
  return registry.methods["tools/list"]?.(createLocalCall("tools/list", params, given));
}

const principal = (...scopes: readonly string[]): { readonly principal: Principal } => ({
  principal: { id: scopes.join(), scopes },
});

test("TOOL-02: a registry without tools lists none", async () => {
  expect(await listed(createToolRegistry())).toMatchObject({ type: "complete", result: { tools: [] } });
});

test("TOOL-04: the list is in ordinal order, whatever the order of adding", () => {
  const expected = ["B", "Z", "_", "a", "aa", "b", "é", "\u{1F527}", "\uFFFD"];
  fc.assert(
    fc.property(fc.shuffledSubarray(expected, { minLength: expected.length }), (order) => {
      expect(names(createToolRegistry(order.map((name) => named(name))))).toEqual(expected);
    }),
  );
});

test("TOOL-03: the list does not depend on the connection or on earlier calls, and is the same object", async () => {
  const registry = createToolRegistry([named("a"), named("b")]);
  const before = await listed(registry);
  await callTool(registry, "a");
  expect(await listed(registry, {}, { signal: new AbortController().signal })).toBe(before);
  expect(before).toMatchObject({ stable: true });
});

test("the list is another object once the tools changed", async () => {
  const registry = createToolRegistry([named("a")]);
  const before = await listed(registry);
  registry.add(named("b"));
  const after = await listed(registry);
  expect(after).not.toBe(before);
  registry.remove("b");
  expect(await listed(registry)).toEqual(before);
  registry.add(named("b", { title: "another" }));
  expect(listTools(registry)[1]).toMatchObject({ title: "another" });
});

test("the list is frozen", () => {
  const registry = createToolRegistry([named("a")]);
  expect(Object.isFrozen(listTools(registry))).toBe(true);
  expect(Object.isFrozen(listTools(registry)[0])).toBe(true);
});

test.each([["zzz"], [""], [null], [7]])("PAG-08: a cursor that was never given out (%j) is refused", async (cursor) => {
  expect(await listed(createToolRegistry(), { cursor })).toMatchObject({ type: "refused", reason: "invalid_params" });
});

test("the cache hint of the registry goes with the list", async () => {
  const cache = { ttlMs: 60_000, scope: "public" } as const;
  expect(await listed(createToolRegistry([], { cache }))).toMatchObject({ cache });
});

test("META-07: title, annotations, icons and _meta are listed as they are, and absent ones are absent", () => {
  const more = {
    title: "Lister les documents",
    annotations: { readOnlyHint: true, "x-later": 1 },
    icons: [{ src: "data:image/png;base64,AA==" }],
  };
  const meta = { "com.example/k": { any: [1] } };
  const [full, bare] = listTools(createToolRegistry([named("a", { ...more, meta }), named("b")]));
  expect(full).toEqual({
    name: "a",
    description: "",
    ...more,
    _meta: meta,
    inputSchema: { type: "object", additionalProperties: false },
  });
  expect(Object.keys(JSON.parse(JSON.stringify(bare)))).toEqual(["name", "description", "inputSchema"]);
});

test("T-4: tools of another stage are there and not exposed", async () => {
  const readOnly = { annotations: { readOnlyHint: true } };
  const registry = createToolRegistry(
    [
      named("list_docs", readOnly),
      named("read_doc", readOnly),
      named("search_docs", readOnly),
      named("draft_readme_basic"),
    ],
    { visible: (tool) => tool.annotations?.readOnlyHint === true },
  );
  registry.add(named("audit_rgaa", readOnly), { enabled: false });
  expect(names(registry)).toEqual(["list_docs", "read_doc", "search_docs"]);
  for (const name of ["draft_readme_basic", "audit_rgaa"]) {
    await expect(callTool(registry, name)).rejects.toThrow(`Unknown tool "${name}"`);
    expect(registry.get(name)).toBeDefined();
  }
});

test("TOOL-03: what a caller sees may depend on who it is, and what it does not see is unknown to it", async () => {
  const registry = createToolRegistry([named("read"), named("write")], {
    visible: (tool, call) => call.principal?.scopes.includes(tool.name) ?? false,
  });
  expect(names(registry)).toEqual([]);
  expect(names(registry, principal("write"))).toEqual(["write"]);
  expect(await callTool(registry, "write", {}, principal("write"))).toMatchObject({ content: [{ text: "write" }] });
  await expect(callTool(registry, "write", {}, principal("read"))).rejects.toMatchObject({ code: -32602 });
});

test("callers that see the same tools get the same object", async () => {
  const registry = createToolRegistry([named("read"), named("write")], {
    visible: (tool, call) => call.principal?.scopes.includes(tool.name) ?? false,
  });
  const one = await listed(registry, {}, principal("read"));
  const other = await listed(registry, {}, principal("write"));
  expect(await listed(registry, {}, principal("read", "more"))).toBe(one);
  expect(await listed(registry, {}, principal("write"))).toBe(other);
  expect(one).not.toBe(other);
});

test("RES-26: a list that depends on the caller and is marked public is reported", () => {
  const report = vi.fn();
  createToolRegistry([], { visible: () => true, cache: { ttlMs: 1, scope: "public" }, report });
  expect(report).toHaveBeenCalledWith({ kind: "shared_filtered_list" });
});

test("ten thousand tools: the list is made once, and finding a tool does not walk them", async () => {
  const run = vi.fn(() => "found");
  const visible = vi.fn(() => true);
  const registry = createToolRegistry(
    Array.from({ length: 10_000 }, (_, index) => named(`tool_${index}`, { run })),
    { visible },
  );
  await callTool(registry, "tool_9999");
  expect(visible).toHaveBeenCalledTimes(1);
  expect(listTools(registry)).toHaveLength(10_000);
  expect(listTools(registry)).toBe(listTools(registry));
});

test("TOOL-09, TOOL-10: a tool without input lists a closed object schema", () => {
  expect(listTools(createToolRegistry([named("a")]))[0]?.inputSchema).toEqual({
    type: "object",
    additionalProperties: false,
  });
});

test("BUG-92: a tool whose schema takes nothing lists an object schema, never null", () => {
  const shapes = [undefined, z.object({}), z.strictObject({})];
  const registry = createToolRegistry(shapes.map((input, index) => named(`t${index}`, { input })));
  for (const { inputSchema } of listTools(registry)) expect(inputSchema).toMatchObject({ type: "object" });
});

test("TOOL-09, BUG-97: a union of objects is listed with an object root, its branches kept", () => {
  const input = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
  expect(listTools(createToolRegistry([named("a", { input })]))[0]?.inputSchema).toMatchObject({
    type: "object",
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
  });
});

test.each(["input", "output"])(
  "BUG-94: an %s that cannot be listed is refused when it is added, and costs no other tool",
  (face) => {
    const registry = createToolRegistry([named("good")]);
    expect(() => registry.add(named("dates", { [face]: z.object({ at: z.date() }) }))).toThrow(
      `the ${face} of tool "dates"`,
    );
    expect(listTools(registry).map(({ name }) => name)).toEqual(["good"]);
  },
);

test("RES-12, PAG-09: a list in pages comes whole, each page with the same hint and the same frozen text", async () => {
  const cache = { ttlMs: 5, scope: "public" } as const;
  const registry = createToolRegistry(
    ["c", "a", "b"].map((name) => named(name)),
    { pages: paged(2), cache },
  );
  const first = registry.methods["tools/list"](createLocalCall("tools/list", {}, undefined));
  const cursor = first.type === "complete" ? first.result.nextCursor : undefined;
  const second = await listed(registry, { cursor });
  expect(first).toMatchObject({ result: { tools: [{ name: "a" }, { name: "b" }] }, cache, stable: true });
  expect(second).toMatchObject({ result: { tools: [{ name: "c" }], nextCursor: undefined }, cache, stable: true });
  expect([await listed(registry), await listed(registry, { cursor })]).toEqual([first, second]);
  expect(names(registry)).toEqual(["a", "b", "c"]);
  registry.remove("b");
  expect(await listed(registry, { cursor })).toMatchObject({ result: { tools: [{ name: "c" }] } });
  expect(await listed(registry, { cursor: "zzz" })).toMatchObject({ reason: "invalid_params" });
});

test("PAG-08: a caller's own view has its own pages", async () => {
  const visible = (tool: AnyTool, call: LocalCall): boolean => tool.name !== "c" || call.principal !== undefined;
  const registry = createToolRegistry(
    ["a", "b", "c"].map((name) => named(name)),
    { pages: paged(2), visible },
  );
  expect(await listed(registry)).toMatchObject({
    result: { tools: [{ name: "a" }, { name: "b" }], nextCursor: undefined },
  });
  expect(names(registry, principal("me"))).toEqual(["a", "b", "c"]);
  expect(names(registry)).toEqual(["a", "b"]);
});
