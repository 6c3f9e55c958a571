import { statelessClient } from "@parlance/protocol-versions";
import { describe, expect, test, vi } from "vitest";
import type { Client } from "./client.js";
import { type ClientOptions, connectClient } from "./connect.js";
import { isResourceNotFound } from "./not-found.js";
import { outputSchemas } from "./output-schemas.js";
import type { Schema } from "./schema.js";
import {
  type Answers,
  createScriptedServer,
  fail,
  ok,
  type ScriptedServer,
  statelessAnswers,
} from "./scripted-server.fixture.js";
import { eachTool, listTools, toolHints, toolTitle } from "./tools.js";
import { callTypedTool } from "./typed-tool.js";

const info = { name: "test", version: "1" };
const inputSchema = { type: "object" };

async function connected(
  answers: Answers,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = createScriptedServer({ ...statelessAnswers, ...answers });
  return { server, client: await connectClient({ dial: server.dial, info, eras: [statelessClient()], ...options }) };
}

function schema<T>(is: (value: unknown) => value is T, onValidate: () => void = () => {}): Schema<T> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => {
        onValidate();
        return is(value) ? { value } : { issues: [{ message: "does not fit" }] };
      },
    },
  };
}

const isObject = (value: unknown): value is { n: number } =>
  typeof value === "object" && value !== null && "n" in value;

describe("listTools", () => {
  test.each([null, 7, "x", []])(
    "BUG-94: a tool whose annotations are %j costs the others nothing",
    async (annotations) => {
      const tools = [
        { name: "a", inputSchema, annotations },
        { name: "b", inputSchema, annotations: { readOnlyHint: true } },
      ];
      const { client } = await connected({ "tools/list": ok({ tools }) });
      const listed = await listTools(client);
      expect(listed).toEqual(tools);
      expect(listed.map((tool) => toolHints(tool).readOnly)).toEqual([false, true]);
      expect(listed.map(toolTitle)).toEqual(["a", "b"]);
    },
  );

  test("PAG-03: gives all pages in order, with all that is in them", async () => {
    const names = ["a", "b", "c", "d"];
    const { client, server } = await connected({
      "tools/list": ({ params }) => {
        const at = names.indexOf(String(params?.["cursor"] ?? "a"));
        const tools = [{ name: names[at], inputSchema: { ...inputSchema, "x-odd": [1], $anchor: "k" }, extra: at }];
        return ok({ tools, ...(names[at + 1] ? { nextCursor: names[at + 1] } : {}) });
      },
    });
    const tools = await listTools(client);
    expect(tools).toMatchObject(
      names.map((name, extra) => ({ name, extra, inputSchema: { "x-odd": [1], $anchor: "k" } })),
    );
    expect(server.received.slice(1).map(({ params }) => params?.["cursor"])).toEqual([undefined, "b", "c", "d"]);
  });

  test("PAG-02, PAG-07: takes pages of any size, and one page alone", async () => {
    const pages: Readonly<Record<string, readonly string[]>> = {
      "": ["a"],
      "1": [],
      "2": ["b", "c", "d", "e", "f", "g", "h"],
    };
    const { client } = await connected({
      "tools/list": ({ params }) => {
        const at = String(params?.["cursor"] ?? "");
        const tools = pages[at]?.map((name) => ({ name, inputSchema }));
        return ok(at === "2" ? { tools } : { tools, nextCursor: at === "" ? "1" : "2" });
      },
    });
    expect((await listTools(client)).map((tool) => tool.name).join("")).toBe("abcdefgh");
    const { client: single } = await connected({ "tools/list": ok({ tools: [] }) });
    expect(await listTools(single)).toEqual([]);
  });

  test("PAG-01: a cursor goes back as it came", async () => {
    const odd = ["é \u2028\n", '{"page":2}', "%20", "a".repeat(10_000)];
    const { client, server } = await connected({
      "tools/list": ({ params }) => {
        const next = odd[odd.indexOf(String(params?.["cursor"])) + 1];
        return ok({ tools: [], ...(next === undefined ? {} : { nextCursor: next }) });
      },
    });
    await listTools(client);
    expect(server.received.slice(2).map(({ params }) => params?.["cursor"])).toEqual(odd);
  });

  test("PAG-04: an empty cursor is a cursor; PAG-05: null is the end", async () => {
    const { client } = await connected({
      "tools/list": ({ params }) =>
        params?.["cursor"] === ""
          ? ok({ tools: [{ name: "b", inputSchema }], nextCursor: null })
          : ok({ tools: [{ name: "a", inputSchema }], nextCursor: "" }),
    });
    expect((await listTools(client)).map((tool) => tool.name)).toEqual(["a", "b"]);
  });

  test.each(["", "0"])(
    "BUG-117, BUG-118, PAG-06: a cursor that comes again (%j) ends the walk with an error that names it",
    async (nextCursor) => {
      const tools = ["a", "b"].map((name) => ({ name, inputSchema }));
      const { client, server } = await connected({ "tools/list": ok({ tools, nextCursor }) });
      await expect(listTools(client)).rejects.toMatchObject({
        code: "BAD_REPLY",
        message: `tools/list was answered with nextCursor "${nextCursor}" a second time`,
        details: { method: "tools/list", cursor: nextCursor, pages: 2 },
      });
      expect(server.methods).toEqual(["server/discover", "tools/list", "tools/list"]);
      const given: string[] = [];
      const walk = async (): Promise<void> => {
        for await (const { name } of eachTool(client)) given.push(name);
      };
      await expect(walk()).rejects.toMatchObject({ code: "BAD_REPLY" });
      expect(given).toEqual(["a", "b"]);
    },
  );

  test("PAG-06, BUG-117: a list without an end is an error, not a part of it", async () => {
    let page = 0;
    const { client } = await connected({ "tools/list": () => ok({ tools: [], nextCursor: `${page++}` }) });
    await expect(listTools(client, { maxPages: 20 })).rejects.toMatchObject({ code: "BAD_REPLY" });
    expect(page).toBe(20);
  });

  test.each([{ tools: null }, {}, { tools: {} }, { tools: [], nextCursor: 1 }])(
    "a page that is none (%j) is an error",
    async (page) => {
      const { client } = await connected({ "tools/list": ok(page) });
      await expect(listTools(client)).rejects.toMatchObject({ code: "BAD_REPLY" });
    },
  );

  test("what is no tool is left out with a report, and the others stay", async () => {
    const report = vi.fn();
    const bad = [null, 1, {}, { name: 1, inputSchema }, { name: "x" }, { name: "y", inputSchema: null }];
    const { client } = await connected(
      { "tools/list": ok({ tools: [...bad, { name: "good", inputSchema }] }) },
      { report },
    );
    expect(await listTools(client)).toEqual([{ name: "good", inputSchema }]);
    expect(report.mock.calls.map(([told]) => told)).toEqual(
      bad.map((tool) => ({ kind: "tool_left_out", reason: expect.any(String), tool })),
    );
  });

  test("TOOL-05, TOOL-06: any string is a name, and case tells tools apart", async () => {
    const tools = ["Get", "get", "with space", "ünïcode", ""].map((name) => ({ name, inputSchema }));
    const { client } = await connected({ "tools/list": ok({ tools }) });
    expect(await listTools(client)).toEqual(tools);
  });

  test("BUG-95: a schema that cannot be used costs the list nothing", async () => {
    const outputSchema = { type: "object", properties: { a: { $ref: "#/$defs/Missing" } } };
    const schemas = vi.fn((): Schema<unknown> => {
      throw new Error("#/$defs/Missing does not exist");
    });
    const tools = [{ name: "broken", inputSchema, outputSchema }];
    const { client, server } = await connected({ "tools/list": ok({ tools }) }, { schemas: outputSchemas(schemas) });
    expect(await listTools(client)).toEqual(tools);
    expect(schemas).not.toHaveBeenCalled();
    await expect(client.callTool("broken")).rejects.toMatchObject({
      code: "BAD_REPLY",
      message: "the outputSchema of tool broken cannot be used: #/$defs/Missing does not exist",
    });
    expect(server.methods).toEqual(["server/discover", "tools/list"]);
  });
});

describe("callTool", () => {
  test("TOOL-27, TOOL-14, BUG-100: a tool that failed is a result, its words and all, not checked against anything", async () => {
    const result = { isError: true, content: [{ type: "text", text: "No such city" }], structuredContent: 1 };
    const { client } = await connected({ "tools/call": ok(result) });
    expect(await client.callTool("x")).toEqual(result);
    expect(await callTypedTool(client, "x", {}, schema(isObject))).toEqual(result);
  });

  test("TOOL-28: without isError it is a success", async () => {
    const { client } = await connected({ "tools/call": ok({ content: [] }) });
    expect((await client.callTool("x")).isError ?? false).toBe(false);
  });

  test("TOOL-33, TOOL-36: blocks of unknown types are kept, and annotations wherever they are", async () => {
    const content = [
      { type: "video", url: "https://example.com/v" },
      { type: "resource", resource: { uri: "a:b", text: "t", annotations: { priority: 1 } } },
      { type: "resource", annotations: { priority: 1 }, resource: { uri: "a:b", text: "t" } },
    ];
    const { client } = await connected({ "tools/call": ok({ content }) });
    expect((await client.callTool("x")).content).toEqual(content);
  });

  test.each([null, 0, false, ""])("TOOL-18: structured content of %j is there", async (structuredContent) => {
    const { client } = await connected({ "tools/call": ok({ content: [], structuredContent }) });
    const result = await client.callTool("x");
    expect("structuredContent" in result).toBe(true);
    expect(result.structuredContent).toBe(structuredContent);
  });

  test("content that is left out is empty; content that is no list is no reply", async () => {
    const { client } = await connected({
      "tools/call": ({ params }) => ok(params?.["name"] === "bare" ? { structuredContent: 1 } : { content: "text" }),
    });
    expect(await client.callTool("bare")).toEqual({ content: [], structuredContent: 1 });
    await expect(client.callTool("odd")).rejects.toMatchObject({ code: "BAD_REPLY" });
  });

  test("BUG-99: a schema of the caller's types structured content, and sees nothing else", async () => {
    const { client } = await connected({ "tools/call": ok({ content: [], structuredContent: { n: 1 } }) });
    const result = await callTypedTool(client, "x", {}, schema(isObject));
    if (result.isError) throw new Error("not an error");
    expect(result.structuredContent.n).toBe(1);
  });

  test.each([{ content: [], structuredContent: 1 }, { content: [] }])(
    "TOOL-15: structured content that does not fit is an error of ours (%j)",
    async (result) => {
      const { client } = await connected({ "tools/call": ok(result) });
      await expect(callTypedTool(client, "x", {}, schema(isObject))).rejects.toMatchObject({
        code: "BAD_REPLY",
        details: { tool: "x", issues: [{ message: "does not fit" }] },
      });
    },
  );

  test("what does not fit is told with its place", async () => {
    const { client } = await connected({ "tools/call": ok({ content: [], structuredContent: { a: [1] } }) });
    const issues = [{ message: "must be a string", path: ["a", { key: 0 }] }];
    const strict: Schema<never> = { "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) } };
    await expect(callTypedTool(client, "x", {}, strict)).rejects.toThrow("does not fit: a.0: must be a string");
  });

  test("TOOL-15, TOOL-16: a listed output schema is checked once listed, and nothing is listed for it", async () => {
    const validate = vi.fn();
    const schemas = vi.fn(() => schema(isObject, validate));
    const outputSchema = { type: "object" };
    const { client, server } = await connected(
      {
        "tools/list": ok({ tools: [{ name: "x", inputSchema, outputSchema }] }),
        "tools/call": ok({ content: [], structuredContent: 1 }),
      },
      { schemas: outputSchemas(schemas) },
    );
    expect(await client.callTool("x")).toMatchObject({ structuredContent: 1 });
    expect(server.methods).toEqual(["server/discover", "tools/call"]);
    await listTools(client);
    await expect(client.callTool("x")).rejects.toMatchObject({ code: "BAD_REPLY" });
    await expect(client.callTool("x")).rejects.toMatchObject({ code: "BAD_REPLY" });
    expect(schemas).toHaveBeenCalledExactlyOnceWith(outputSchema);
    expect(validate).toHaveBeenCalledTimes(2);
  });

  test("BUG-120: listing again and again makes no validators", async () => {
    const schemas = vi.fn(() => schema(isObject));
    const tools = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}`,
      inputSchema,
      outputSchema: inputSchema,
    }));
    const { client } = await connected({ "tools/list": ok({ tools }) }, { schemas: outputSchemas(schemas) });
    for (let round = 0; round < 100; round++) await listTools(client);
    expect(schemas).not.toHaveBeenCalled();
  });
});

test.each([
  [{ title: "T", annotations: { title: "A" } }, "T"],
  [{ annotations: { title: "A" } }, "A"],
  [{ annotations: {} }, "name"],
  [{}, "name"],
])("TOOL-31: the name for people of %j is %s", (members, title) => {
  expect(toolTitle({ name: "name", inputSchema, ...members })).toBe(title);
});

test.each([
  [undefined, { readOnly: false, destructive: true, idempotent: false, openWorld: true }],
  [{}, { readOnly: false, destructive: true, idempotent: false, openWorld: true }],
  [
    { destructiveHint: false, idempotentHint: true },
    { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  ],
  [
    { readOnlyHint: true, destructiveHint: true },
    { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  ],
  [{ openWorldHint: false }, { readOnly: false, destructive: true, idempotent: false, openWorld: false }],
])("TOOL-30: the hints of %j are %j", (annotations, hints) => {
  expect(toolHints({ name: "name", inputSchema, annotations })).toEqual(hints);
});

test.each([
  ["the old code", fail(-32002), true],
  ["invalid params that name the resource", fail(-32602, "No", { uri: "a:b" }), true],
  ["invalid params that do not", fail(-32602), false],
  ["another error", fail(-32603, "No", { uri: "a:b" }), false],
])("ERR-06, ERR-07: %s: not found is %s", async (_, reaction, expected) => {
  const { client } = await connected({
    "server/discover": ok({ supportedVersions: ["2026-07-28"], capabilities: { resources: {} } }),
    "resources/read": reaction,
  });
  const error: unknown = await client.request("resources/read", { uri: "a:b" }).catch((reason: unknown) => reason);
  expect(isResourceNotFound(error)).toBe(expected);
  expect(isResourceNotFound(new Error("-32002"))).toBe(false);
});
