import { jsonSchema } from "@parlance/json-schema";
import { expect, test, vi } from "vitest";
import { tool, tools } from "./index.js";
import { createLocalCall } from "./local.js";

const dice = tool({ name: "dice", description: "Rolls", run: () => "4" });

test("tools that stay the same are listed and called, and promise no changes", async () => {
  const set = tools([dice]);
  expect(set.capabilities).toEqual({ tools: {} });
  expect(set.changed).toBeUndefined();
  expect(await set.methods["tools/list"]?.(createLocalCall("tools/list", {}, undefined))).toMatchObject({
    result: { tools: [{ name: "dice" }] },
  });
  expect(await set.methods["tools/call"]?.(createLocalCall("tools/call", { name: "dice" }, undefined))).toMatchObject({
    result: { content: [{ type: "text", text: "4" }] },
  });
});

test("the list has one page, in order, and the hint it is given", () => {
  const cache = { ttlMs: 5, scope: "public" } as const;
  const list = tools([tool({ name: "a", description: "", run: () => "" }), dice], { cache }).methods["tools/list"];
  const first = list?.(createLocalCall("tools/list", {}, undefined));
  expect(first).toMatchObject({ result: { tools: [{ name: "a" }, { name: "dice" }] }, stable: true, cache });
  expect(list?.(createLocalCall("tools/list", {}, undefined))).toBe(first);
  expect(list?.(createLocalCall("tools/list", { cursor: "a" }, undefined))).toMatchObject({ reason: "invalid_params" });
});

test("TOOL-05: an odd name is taken, and reported", () => {
  const report = vi.fn();
  const odd = tool({ name: "odd name", description: "", run: () => "" });
  expect(Object.keys(tools([dice, odd], { report }).methods)).toContain("tools/call");
  expect(report.mock.calls).toMatchObject([[{ kind: "unusual_tool_name", tool: "odd name" }]]);
});

test("XMH-12: a tool whose headers nobody would compare is refused", () => {
  const input = jsonSchema({ type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } });
  expect(() => tools([tool({ name: "t", description: "", input, run: () => "" })])).toThrow("has x-mcp-header");
});

test("no two have the same name", () => {
  expect(() => tools([dice, dice])).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", details: { taken: "dice" } }),
  );
});
