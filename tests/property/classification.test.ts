import { classify, parse, refusal } from "@parlance/jsonrpc/codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageLike, mutant } from "./arbitrary.js";
import { expectedOf } from "./oracle.js";

const text = fc.oneof(
  { weight: 4, arbitrary: messageLike.map((value) => JSON.stringify(value)) },
  { weight: 4, arbitrary: mutant },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string() },
);

describe("what a frame is", () => {
  test("JR-01, JR-03, JR-04, JR-09, JR-10, JR-11, JR-17: our reader agrees with the text of the specification", () => {
    fc.assert(
      fc.property(text, (frame) => {
        const expected = expectedOf(frame);
        const read = parse(frame);
        if (read.kind === "batch") {
          expect(expected.kind).toBe("malformed");
          return;
        }
        expect(read.kind).toBe(expected.kind);
        if (read.kind !== "malformed" || expected.kind !== "malformed") return;
        expect({ id: read.id, code: read.error.code }).toEqual({ id: expected.id, code: expected.code });
        expect(refusal(read) !== undefined).toBe(expected.answered);
      }),
      { numRuns: 2_000 },
    );
  });

  test("JR-18: what it is does not depend on members that nobody knows", () => {
    fc.assert(
      fc.property(
        messageLike,
        fc.dictionary(
          fc.string().map((name) => `x-${name}`),
          fc.jsonValue(),
        ),
        (message, more) => {
          const { kind } = classify(message);
          expect(classify({ ...more, ...message }).kind).toBe(kind);
          expect(classify({ ...message, ...more }).kind).toBe(kind);
        },
      ),
    );
  });
});
