import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { watchStderr } from "./stderr.js";

async function watch(
  ...chunks: readonly (string | Uint8Array)[]
): Promise<{ lines: string[]; tail: string; last: string | undefined }> {
  const stream = new PassThrough();
  const lines: string[] = [];
  const stderr = watchStderr(stream, (line) => void lines.push(line));
  const ended = new Promise((resolve) => stream.once("end", resolve));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await ended;
  return { lines, tail: stderr.tail(), last: stderr.lastWords() };
}

test("lines are whole, blank ones are left out, and the last needs no newline", async () => {
  const bytes = Buffer.from("one\r\n\n  \ntwo: 漢字\nthr");
  const { lines } = await watch(bytes.subarray(0, 17), bytes.subarray(17), "ee");
  expect(lines).toEqual(["one", "two: 漢字", "three"]);
});

test("only the end is kept", async () => {
  const { tail } = await watch("x".repeat(10_000), "the end\n");
  expect(tail).toBe(`${"x".repeat(8_184)}the end\n`);
});

test("a line without end is reported in pieces", async () => {
  const { lines } = await watch("x".repeat(70_000), "y\n");
  expect(lines.map((line) => line.length)).toEqual(expect.arrayContaining([1]));
  expect(lines.join("")).toHaveLength(70_001);
});

test("the last words are the line that names an error, or else the last", async () => {
  expect((await watch("starting\nbye\n")).last).toBe("bye");
  expect((await watch("TypeError: no\n  at x\n\nNode.js v20\n")).last).toBe("TypeError: no");
  expect((await watch("")).last).toBeUndefined();
});
