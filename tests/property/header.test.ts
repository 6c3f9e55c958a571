import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeHeader, encodeHeader } from "../../packages/transport-http/src/stateless/header.js";

const text = fc
  .oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.string(),
    fc.string().map((inner) => `=?base64?${inner}?=`),
    fc.constantFrom(
      "",
      " ",
      "a ",
      "\ta",
      "a\tb",
      "=?base64?",
      "=?base64?=",
      "?=",
      "=?BASE64?YQ==?=",
      "a\r\nX-Evil: 1",
      "\u0000",
    ),
  )
  .filter((value) => !/\p{Surrogate}/u.test(value));

describe("a value in a header", () => {
  test("XMH-16, XMH-17, XMH-18, XMH-20: comes back as it was, through characters that every header may have", () => {
    fc.assert(
      fc.property(text, (value) => {
        const written = encodeHeader(value);
        expect(written).toMatch(/^[\x20-\x7e]*$/);
        expect(written).toBe(written.trim());
        expect(new Headers({ x: written }).get("x")).toBe(written);
        expect(decodeHeader(written)).toBe(value);
      }),
      { numRuns: 1_000 },
    );
  });

  test("XMH-19, XMH-27: what another implementation may write is read as Node reads it, or not at all", () => {
    const marked = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64")),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64url")),
      fc.stringMatching(/^[A-Za-z0-9+/=_ -]{0,24}$/),
    );
    fc.assert(
      fc.property(marked, (inner) => {
        const bytes = Buffer.from(inner, "base64");
        const strict = bytes.toString("base64") === inner && Buffer.from(bytes.toString()).equals(bytes);
        expect(decodeHeader(`=?base64?${inner}?=`)).toBe(strict ? bytes.toString() : undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  test("XMH-27: whatever comes is read without a throw, and never with what no header may have", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const read = decodeHeader(value);
        if (/[^\x20-\x7e\t]/.test(value)) expect(read).toBeUndefined();
        else if (!value.startsWith("=?base64?")) expect(read).toBe(value);
      }),
    );
  });
});
