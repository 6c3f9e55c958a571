import { expect, test } from "vitest";
import { pathFault } from "./path-fault.js";

test.each(["a", "a/b", "a\\b", "./a", "a/../b", "..a", "a..", ".hidden", "é/日本", "100%", "a%20b"])(
  "RSC-20: %j may be looked up",
  (path) => {
    expect(pathFault(path, false)).toBeUndefined();
  },
);

test.each(["ab:stream", "nul", "NUL.txt", "com1", "sub/aux.c", "a.", "a /b", "a?", "...", "conin$"])(
  "RSC-20: %j means something else on Windows, and only there",
  (path) => {
    expect(pathFault(path, true)).toContain("Windows");
    expect(pathFault(path, false)).toBeUndefined();
  },
);

test.each([
  ["..", "out of the root"],
  ["a/../..", "out of the root"],
  ["a\\..\\..", "out of the root"],
  ["/a", "absolute"],
  ["\\a", "absolute"],
  ["//h/s", "another machine"],
  ["\\\\h\\s", "another machine"],
  ["z:a", "drive"],
  ["a\0", "NUL"],
  ["%2E%2E", "percent-encoded"],
  ["%25252f", "percent-encoded"],
  ["", "empty"],
  [null, "null"],
  [7, "number"],
])("RSC-20: %j is refused, since %s", (path, why) => {
  for (const windows of [true, false]) expect(pathFault(path, windows)).toContain(why);
});
