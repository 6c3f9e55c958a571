import { expect, test } from "vitest";
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

test("no two have the same name", () => {
  expect(() => tools([dice, dice])).toThrow(expect.objectContaining({ code: "NAME_TAKEN", tool: "dice" }));
});
