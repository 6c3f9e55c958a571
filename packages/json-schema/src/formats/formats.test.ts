import { describe, expect, test } from "vitest";
import { compile } from "../compile.js";
import { formats } from "./index.js";

describe("formats, when asserted", () => {
  test.each([
    [
      "date-time",
      ["2024-02-29T23:20:50.52Z", "1998-12-31T23:59:60Z"],
      ["2023-02-29T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T12:00:00"],
    ],
    ["date", ["2024-02-29", "0000-02-29"], ["2023-02-29", "2024-13-01", "24-01-01"]],
    ["time", ["12:00:00Z", "08:30:06+02:00"], ["12:00:00", "24:00:00Z", "12:00:60Z"]],
    [
      "email",
      ["joe.bloggs@example.com", '"joe bloggs"@example.com', "joe@[127.0.0.1]"],
      ["joe", ".joe@example.com", "joe@-x"],
    ],
    [
      "uri",
      ["https://example.com/a?b#c", "urn:isbn:1", "mailto:a@b.c"],
      ["//example.com", "a b:c", "https://[x]/", "http://a b"],
    ],
    ["uri-reference", ["/a/b", "#x", ""], ["\\\\share", "a%zz"]],
    ["uuid", ["2EB8AA08-aa98-11ea-b4aa-73b441d16380"], ["2eb8aa08aa9811eab4aa73b441d16380"]],
    ["ipv4", ["127.0.0.1"], ["127.0.0.01", "256.0.0.1", "1.2.3"]],
    ["ipv6", ["::1", "::ffff:192.168.0.1", "1:2:3:4:5:6:7:8"], [":::1", "1::2::3", "12345::", "fe80::a%eth1"]],
    ["hostname", ["www.example.com", "a", "xn--nxasmq6b"], ["", "-a", "a.", "a".repeat(64), "a_b"]],
    ["regex", ["^a+$"], ["^(abc]", "\\a"]],
    ["json-pointer", ["", "/a~0b~1c"], ["a", "/a~2"]],
  ])("%s", (format, right, wrong) => {
    const { check } = compile({ format }, { formats });
    expect(right.filter((text) => !check(text))).toEqual([]);
    expect(wrong.filter((text) => check(text))).toEqual([]);
    expect(check(5)).toBe(true);
  });

  test("one that is not handed in stays a note", () => {
    expect(compile({ format: "duration" }, { formats }).check("x")).toBe(true);
    expect(compile({ format: "constructor" }, { formats }).check("x")).toBe(true);
  });
});
