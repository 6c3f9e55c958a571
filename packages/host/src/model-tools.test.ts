import { RpcError } from "@parlance/jsonrpc";
import type { CallToolResult } from "@parlance/protocol-versions";
import { createToolRegistry, remoteTool, tool } from "@parlance/tool-registry";
import { expect, test } from "vitest";
import { toModelTools } from "./model-tools.js";
import { safeNames } from "./safe-name.js";

const inputSchema = {
  type: "object",
  properties: {
    where: { type: ["string", "null"], enum: ["here", null, 3] },
    depth: { type: "integer", default: 9007199254740991 },
    items: { type: "array", items: { oneOf: [{ type: "string" }, { type: "object", properties: { deep: {} } }] } },
  },
  required: ["where"],
};

const remote = (name: string, answer: (args: unknown) => CallToolResult) =>
  createToolRegistry([remoteTool({ name, description: "Far", inputSchema }, answer)]);

const says = (result: CallToolResult) => toModelTools(remote("far", () => result))[0]?.call();

test("O-71: parameters are the schema as the server gave it, nested ones, unions and numbers too", () => {
  const [far] = toModelTools(remote("far", () => ({ content: [] })));
  expect(far).toMatchObject({ name: "far", description: "Far" });
  expect(far?.parameters).toBe(inputSchema);
});

test("a tool without parameters, description or title has empty ones", () => {
  const bare = remoteTool({ name: "bare", inputSchema: { type: "object" } }, () => ({ content: [] }));
  const [first] = toModelTools(createToolRegistry([bare]));
  expect(first).toMatchObject({ description: "", parameters: { type: "object" } });
});

test("what a server lists in an odd way does not cost a model its tools: each has a type and a text", () => {
  const odd = { name: "odd", title: "Odd", description: 7, inputSchema: { properties: {} } } as never;
  const [first] = toModelTools(createToolRegistry([remoteTool(odd, () => ({ content: [] }))]));
  expect(first).toMatchObject({ description: "Odd", parameters: { type: "object", properties: {} } });
});

test("O-72: texts are joined by line ends, and what is no text is named", async () => {
  const link = { type: "resource_link", uri: "file:///a", name: "a" } as const;
  const content: CallToolResult["content"] = [
    { type: "text", text: "one" },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "resource", resource: { uri: "file:///b", text: "two" } },
    { type: "resource", resource: { uri: "file:///c", blob: "AAA=" } },
    link,
  ];
  expect(await says({ content })).toMatchObject({
    isError: false,
    text: "one\n[image image/png, 3 bytes]\ntwo\n[resource file:///c, 2 bytes]\n[resource a: file:///a]",
    result: { content },
  });
  expect(await says({ content: [], structuredContent: { a: 1 } })).toMatchObject({ text: '{"a":1}' });
});

test("O-72: a failure is one, with its text, and one without is named", async () => {
  const failed = { content: [{ type: "text", text: "no such city" }], isError: true } as const;
  expect(await says(failed)).toMatchObject({ text: "no such city", isError: true });
  expect(await says({ content: [], isError: true })).toMatchObject({
    text: "the tool failed and did not say why",
    isError: true,
  });
});

test("O-72: arguments come as an object or as JSON; other text is an input", async () => {
  const seen: unknown[] = [];
  const [far] = toModelTools(remote("far", (args) => ({ content: [], structuredContent: seen.push(args) })));
  for (const args of [undefined, {}, { a: 1 }, '{"a":{"b":[1]}}', "", " ", "plain words", "[1]", "7"])
    await far?.call(args);
  expect(seen).toEqual([
    {},
    {},
    { a: 1 },
    { a: { b: [1] } },
    {},
    {},
    { input: "plain words" },
    { input: "[1]" },
    { input: "7" },
  ]);
});

test("a server's protocol error is a failure that says so, and an abort is thrown", async () => {
  const refuse = (): never => {
    throw new RpcError(-32603, "on fire");
  };
  const [far] = toModelTools(remote("far", refuse));
  expect(await far?.call()).toEqual({ text: "on fire", isError: true });
  const [never] = toModelTools(
    createToolRegistry([tool({ name: "n", description: "", run: () => new Promise<string>(() => undefined) })]),
  );
  const caller = new AbortController();
  const calling = never?.call({}, { signal: caller.signal });
  caller.abort("enough");
  await expect(calling).rejects.toBe("enough");
});

test("tools that a caller may not see are not among them", () => {
  const secret = tool({ name: "secret", description: "", run: () => "" });
  const registry = createToolRegistry([secret], { visible: (_, { principal }) => principal?.id === "root" });
  expect(toModelTools(registry)).toEqual([]);
  expect(toModelTools(registry, { principal: { id: "root", scopes: [] } })).toHaveLength(1);
});

const accepted = /^[A-Za-z0-9_-]{1,64}$/;

test("BUG-112: names that models' APIs do not take are replaced by ones that they do; the server is called by its own", async () => {
  const names = ["admin.tools/list", "我的 tool", "a b", "a.b", "a_b", "", "😀"];
  const tools = toModelTools(
    createToolRegistry(
      names.map((name) => remoteTool({ name, inputSchema }, () => ({ content: [{ type: "text", text: name }] }))),
    ),
  );
  expect(tools.map(({ name }) => name).filter((name) => !accepted.test(name))).toEqual([]);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(names.length);
  expect(tools.map(({ name }) => name)).toContain("a_b");
  expect((await Promise.all(tools.map(({ call }) => call()))).map(({ text }) => text).sort()).toEqual(
    [...names].sort(),
  );
});

test("BUG-111: long names are cut and stay different, and can be called by what is listed", async () => {
  const names = ["x".repeat(70), `${"x".repeat(70)}y`, "x".repeat(64), "x".repeat(65)];
  const safe = safeNames(names);
  expect([...safe.values()].filter((name) => !accepted.test(name))).toEqual([]);
  expect(new Set(safe.values()).size).toBe(4);
  expect(safe.get("x".repeat(64))).toBe("x".repeat(64));
});

test("BUG-111: a name does not depend on the other names, and ends when what it would be is taken", () => {
  const [alone] = safeNames(["a.b"]).values();
  expect(safeNames(["z", "a.b", "a_b", "y"]).get("a.b")).toBe(alone);
  const crowded = safeNames([alone ?? "", "a.b"]);
  expect([...crowded.values()]).toEqual([alone, expect.stringMatching(/^a_b_[0-9a-f]{8}$/)]);
  expect(crowded.get("a.b")).not.toBe(alone);
});
