import { createLines } from "@parlance/transport-stdio";
import { expect, test } from "vitest";
import { heapBytes } from "./census.js";

test("STD-04: a frame that drips in byte by byte takes a small multiple of its size", () => {
  const sizeBytes = 256 * 1024;
  const byte = Buffer.from("x");
  const lines = createLines();
  const before = heapBytes();
  for (let n = 0; n < sizeBytes; n += 1) {
    lines.feed(byte);
    lines.next();
  }
  expect(heapBytes() - before).toBeLessThan(6 * sizeBytes);
  lines.feed("\n");
  expect(lines.next()).toHaveLength(sizeBytes);
});
