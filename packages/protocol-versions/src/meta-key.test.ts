import { LocalError } from "@parlance/jsonrpc";
import { describe, expect, test } from "vitest";
import { checkMeta, isReservedMetaKey, metaKeyFault } from "./meta-key.js";
import { readTrace } from "./trace.js";

describe("the shape of a _meta key", () => {
  test.each(["com.example/x", "a/x", "io.model-context.v2/x", "x", "com.example/"])(
    "META-01: prefix labels start with a letter and end with a letter or digit: %s",
    (key) => expect(metaKeyFault(key)).toBeUndefined(),
  );
  test.each(["1a.b/x", "a-.b/x", "/x", "a..b/x", "-a/x", "a_b/x"])(
    "META-01: a prefix with another label is malformed: %s",
    (key) => expect(metaKeyFault(key)).toMatch(/must be letters, digits/),
  );
  test.each(["a.b_c-d", "", "a", "9", "com.example/a.b_c-d"])(
    "META-02: a name is empty, or begins and ends alphanumeric: %s",
    (key) => expect(metaKeyFault(key)).toBeUndefined(),
  );
  test.each(["-a", "a.", "_a", "a b", "com.example/-a", "a/b/c"])("META-02: any other name is malformed: %s", (key) =>
    expect(metaKeyFault(key)).toMatch(/must be letters, digits/),
  );
});

describe("reserved prefixes", () => {
  test.each([
    ["io.modelcontextprotocol/x", true],
    ["dev.mcp/x", true],
    ["org.modelcontextprotocol.api/x", true],
    ["com.mcp.tools/x", true],
    ["com.example.mcp/x", false],
    ["mcp.dev/x", false],
    ["mcp/x", false],
    ["mcp", false],
  ])("META-04: from 2025-11-25 a prefix is reserved by its second label: %s", (key, reserved) => {
    expect(isReservedMetaKey(key)).toBe(reserved);
  });
  test.each([
    ["modelcontextprotocol.io/x", true],
    ["mcp.dev/x", true],
    ["api.modelcontextprotocol.org/x", true],
    ["tools.mcp.com/x", true],
    ["com.example.mcp/x", false],
    ["com.mcp.tools.api/x", false],
    ["mcp/x", false],
  ])("META-05: under 2025-06-18 it is reserved by the label before its last: %s", (key, reserved) => {
    expect(isReservedMetaKey(key, "label-before-last")).toBe(reserved);
  });
});

describe("what we set ourselves", () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  test("META-08: a malformed key is refused, and named", () => {
    expect(() => checkMeta({ "1a.b/x": true })).toThrow(LocalError);
    expect(() => checkMeta({ "1a.b/x": true })).toThrow(/_meta key "1a\.b\/x"/);
    expect(() => checkMeta({ "com.example/x": true, progressToken: 0, traceparent })).not.toThrow();
  });

  test.each([
    ["traceparent", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"],
    ["traceparent", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
    ["traceparent", 7],
    ["tracestate", "UPPER=1"],
    ["baggage", "no value"],
  ])("META-13: a bad %s is not set, and a received one is ignored: %s", (key, value) => {
    expect(() => checkMeta({ [key]: value })).toThrow(/W3C/);
    expect(readTrace({ [key]: value })).toEqual({});
  });

  test("META-13: values in the formats of the W3C are read", () => {
    const meta = {
      traceparent,
      tracestate: "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
      baggage: "userId=alice;p=1,k = v",
    };
    expect(readTrace(meta)).toEqual(meta);
    expect(() => checkMeta(meta)).not.toThrow();
  });
});
