import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../packages/json-schema/src/", import.meta.url));
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => [name, readFileSync(`${folder}${name}`, "utf8")] as const);

test("SCH-08: nothing in the package can reach the network, and it imports nothing but itself", () => {
  expect(sources.length).toBeGreaterThan(20);
  for (const [name, text] of sources) {
    expect(text, name).not.toMatch(/\b(fetch|XMLHttpRequest|WebSocket|EventSource)\s*\(/);
    for (const [, from = ""] of text.matchAll(/\b(?:from|import)\s*\(?"([^"]+)"/g))
      expect(from, name).toMatch(/^\.\.?\//);
  }
});

test("no code is made from text", () => {
  for (const [name, text] of sources) expect(text, name).not.toMatch(/\beval\s*\(|\bFunction\s*\(/);
});
