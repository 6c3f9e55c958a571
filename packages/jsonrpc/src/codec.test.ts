import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify, encodeError, encodeMessage, encodeResult, parse, serialized } from "./codec.js";
import { rpcCodes } from "./error.js";
import { serializedText } from "./handler.js";

const { parseError, invalidRequest, invalidParams } = rpcCodes;
const valid = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("reading", () => {
  test.each([
    ["a request", valid, "request"],
    ["a request with id 0", { ...valid, id: 0 }, "request"],
    ["a request with an empty id", { ...valid, id: "" }, "request"],
    ["a notification", { jsonrpc: "2.0", method: "notifications/progress", params: {} }, "notification"],
    ["a result", { jsonrpc: "2.0", id: "7", result: {} }, "response"],
    ["an error", { jsonrpc: "2.0", id: 7, error: { code: -1, message: "no" } }, "response"],
    ["an error with id null", { jsonrpc: "2.0", id: null, error: { code: -1, message: "no" } }, "response"],
    ["an error without id", { jsonrpc: "2.0", error: { code: -1, message: "no" } }, "response"],
    ["a result beside `error: null`", { jsonrpc: "2.0", id: 7, result: {}, error: null }, "response"],
    [
      "an error beside `result: null`",
      { jsonrpc: "2.0", id: 7, result: null, error: { code: 1, message: "" } },
      "response",
    ],
    ["a request with a result too", { ...valid, result: {} }, "request"],
  ])("JR-14, BUG-77: %s is told by its members", (_, message, kind) => {
    expect(parse(JSON.stringify(message)).kind).toBe(kind);
  });

  test.each([
    ["a message", "DEEP"],
    ["a method", '{"jsonrpc":"2.0","id":1,"method":DEEP}'],
    ["an id", '{"jsonrpc":"2.0","id":DEEP,"method":"ping"}'],
    ["a jsonrpc member", '{"jsonrpc":DEEP,"id":1,"method":"ping"}'],
    ["params", '{"jsonrpc":"2.0","id":1,"method":"ping","params":DEEP}'],
    ["a result", '{"jsonrpc":"2.0","id":1,"result":DEEP}'],
    ["an error", '{"jsonrpc":"2.0","id":1,"error":DEEP}'],
  ])("%s that nests deeper than the stack is malformed, and nothing is thrown", (_, text) => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const read = parse(text.replace("DEEP", deep));
    expect((read.kind === "batch" ? classify(read.items[0]) : read).kind).toBe("malformed");
  });

  test("JR-18: the parsed object itself is handed on, unknown members and all", () => {
    const message = { ...valid, "x-extra": 1, params: { "x-extra": 1, _meta: { "x-extra": { deep: [null] } } } };
    const read = classify(message);
    expect(read).toEqual({ kind: "request", message });
    expect(read.kind === "request" && read.message).toBe(message);
  });

  test.each([
    ["text that is no JSON", "{ not json", undefined, parseError],
    ["an empty frame", "", undefined, parseError],
    ["two messages in one frame", "{} {}", undefined, parseError],
    ["null", null, undefined, invalidRequest],
    ["a number", 1, undefined, invalidRequest],
    ["an empty object", {}, undefined, invalidRequest],
    ["a request of another version", { ...valid, jsonrpc: "1.0" }, 1, invalidRequest],
    ["a request without version", { id: 1, method: "ping" }, 1, invalidRequest],
    ["a fractional id", { ...valid, id: 1.5 }, undefined, invalidRequest],
    ["a boolean id", { ...valid, id: true }, undefined, invalidRequest],
    ["an object as id", { ...valid, id: {} }, undefined, invalidRequest],
    [
      "an id that JSON cannot carry exactly",
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}',
      undefined,
      invalidRequest,
    ],
    ["a null id", { ...valid, id: null }, undefined, invalidRequest],
    ["a method that is no string", { ...valid, method: 1 }, 1, invalidRequest],
    ["a method in other letter case", { jsonrpc: "2.0", id: 1, Method: "ping" }, 1, invalidRequest],
    ["a method with a NUL in its key", { jsonrpc: "2.0", id: 1, "method\u0000": "ping" }, 1, invalidRequest],
    ["positional params", { ...valid, params: [1] }, 1, invalidParams],
    ["params that are no object", { ...valid, params: "x" }, 1, invalidParams],
    ["params that are null", { ...valid, params: null }, 1, invalidParams],
    [
      "JR-09: a result and an error",
      { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } },
      1,
      invalidRequest,
    ],
    ["neither result nor error", { jsonrpc: "2.0", id: 1 }, 1, invalidRequest],
    ["only nulls", { jsonrpc: "2.0", id: 1, result: null, error: null }, 1, invalidRequest],
    ["a result that is no object", { jsonrpc: "2.0", id: 1, result: [] }, 1, invalidRequest],
    [
      "JR-11: an error with a fractional code",
      { jsonrpc: "2.0", id: 1, error: { code: 1.5, message: "" } },
      1,
      invalidRequest,
    ],
    ["an error without message", { jsonrpc: "2.0", id: 1, error: { code: 1 } }, 1, invalidRequest],
    ["a result that answers nothing", { jsonrpc: "2.0", result: {} }, undefined, invalidRequest],
  ])(
    "JR-01, JR-03, JR-04, JR-09, JR-11, JR-17, BUG-64, BUG-74: %s is refused, with its id only if that could be read",
    (_, frame, id, code) => {
      const read = parse(typeof frame === "string" ? frame : JSON.stringify(frame));
      expect(read).toMatchObject({ kind: "malformed", id, error: { code } });
    },
  );

  test("BUG-74: of two members with one name the last counts, as everywhere in JavaScript", () => {
    expect(parse('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}')).toMatchObject({ message: { id: 2 } });
  });

  test("JR-20: `__proto__` is a name like any other", () => {
    const read = parse('{"jsonrpc":"2.0","id":1,"method":"a","params":{"__proto__":{"x":1},"constructor":2}}');
    expect(Reflect.get({}, "x")).toBeUndefined();
    expect(read.kind === "request" && Object.keys(read.message.params ?? {})).toEqual(["__proto__", "constructor"]);
    expect(parse('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"a"}}').kind).toBe("malformed");
  });

  test("JR-12: every refusal is one short line, whatever was sent", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), messageLike()), (value) => {
        const read = parse(JSON.stringify(value));
        if (read.kind !== "malformed") return;
        expect(read.error.message).toMatch(/^[^\n]{1,199}$/);
        expect(read.error.message).not.toMatch(/\.$/);
      }),
    );
  });

  test("anything at all is classified without a throw", () => {
    fc.assert(fc.property(fc.string(), (text) => void parse(text)));
  });
});

describe("writing", () => {
  const id = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: "binary" }));
  const object = fc.dictionary(fc.string(), fc.jsonValue());

  test("JR-02, JR-15: what is written reads back the same, on one line", () => {
    fc.assert(
      fc.property(fc.option(id, { nil: undefined }), fc.string({ unit: "binary" }), object, (key, method, params) => {
        const text = encodeMessage(key, method, params);
        expect(text).not.toContain("\n");
        const message = JSON.parse(JSON.stringify({ jsonrpc: "2.0", id: key, method, params }));
        expect(parse(text)).toEqual({ kind: key === undefined ? "notification" : "request", message });
      }),
    );
  });

  test("JR-08, JR-09: an answer has the id with its type, and either a result or an error", () => {
    fc.assert(
      fc.property(id, object, fc.integer(), fc.string(), (key, result, code, message) => {
        const same = JSON.parse(JSON.stringify(key));
        expect(JSON.parse(encodeResult(key, result))).toEqual({ jsonrpc: "2.0", id: same, result: plain(result) });
        const error = { code, message };
        expect(JSON.parse(encodeError(key, error))).toEqual({ jsonrpc: "2.0", id: same, error });
        expect(parse(encodeResult(key, result)).kind).toBe("response");
        expect(parse(encodeError(key, error)).kind).toBe("response");
      }),
    );
  });

  test("JR-13: an id that could not be read is left out", () => {
    expect(encodeError(undefined, { code: 1, message: "no" })).toBe(
      '{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}',
    );
  });

  test("a serialized result is spliced in as it is", () => {
    expect(encodeResult("a", serialized({ tools: [] }))).toBe('{"jsonrpc":"2.0","id":"a","result":{"tools":[]}}');
  });

  test.each([[[]], [null]])("%o is not taken for a result", (value) => {
    expect(() => serialized(value as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  test.each([
    ["an array", []],
    ["text", "text"],
    ["null", null],
    ["nothing", undefined],
    ["a function", () => {}],
    ["what becomes text", { toJSON: () => "text" }],
  ])("JR-10: %s is no result", (_, result) => {
    expect(() => encodeResult(1, result as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  test("a serialized result is one by its symbol alone", () => {
    expect(serialized({})).toEqual({ [serializedText]: "{}" });
  });
});

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function messageLike(): fc.Arbitrary<unknown> {
  const some = fc.oneof(fc.jsonValue(), fc.constant("2.0"), fc.string({ minLength: 100 }));
  return fc.record(
    { jsonrpc: some, id: some, method: some, params: some, result: some, error: some },
    { requiredKeys: [] },
  );
}

test("what cannot be serialized is told with the reason", () => {
  expect(() => encodeMessage(1, "add", { arguments: { a: 1, big: 1n } })).toThrow(
    new TypeError("Do not know how to serialize a BigInt"),
  );
});
