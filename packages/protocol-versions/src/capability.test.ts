import { describe, expect, test } from "vitest";
import { mergeCapabilities, missingCapabilities } from "./capability.js";

describe("what is missing", () => {
  test.each([
    [{}, {}, undefined],
    [{ roots: {} }, { roots: { listChanged: true } }, undefined],
    [{ roots: {}, sampling: {} }, { roots: {} }, { sampling: {} }],
    [{ sampling: { tools: {} } }, { sampling: {} }, { sampling: { tools: {} } }],
    [{ sampling: undefined }, {}, undefined],
    [{ elicitation: {} }, { elicitation: {} }, undefined],
    [{ elicitation: { form: {} } }, { elicitation: {} }, undefined],
    [{ elicitation: {} }, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    [{ elicitation: { url: {} } }, { elicitation: {} }, { elicitation: { url: {} } }],
    [{ sampling: { tools: {} } }, { sampling: true as never }, { sampling: { tools: {} } }],
    [{ sampling: {} }, { sampling: true as never }, undefined],
    [{ extensions: { "a/b": {} } }, { extensions: {} }, { extensions: { "a/b": {} } }],
    [{ extensions: { toString: {} } }, { extensions: {} }, { extensions: { toString: {} } }],
  ])("of %j when %j is declared: %j", (needed, declared, missing) => {
    expect(missingCapabilities(needed, declared)).toEqual(missing);
  });
});

test("what feature sets announce is merged, member by member", () => {
  const set = (capabilities: object) => ({ capabilities: { ...capabilities }, methods: {} });
  expect(
    mergeCapabilities([
      set({ tools: {}, extensions: { "a/b": { x: 1 } } }),
      set({ extensions: { "c/d": {} }, tools: { listChanged: true } }),
    ]),
  ).toEqual({ tools: { listChanged: true }, extensions: { "a/b": { x: 1 }, "c/d": {} } });
  expect(mergeCapabilities([])).toEqual({});
});
