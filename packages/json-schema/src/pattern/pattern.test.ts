import { describe, expect, test } from "vitest";
import { compile } from "../compile.js";
import { LimitError, SchemaError } from "../errors.js";
import { withDefaults } from "../limits.js";
import { growth } from "./growth.js";

const ZOD_EMAIL =
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";

function caught(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe("SCH-11: a pattern cannot stall the process", () => {
  test.each([
    "^(a+)+$",
    "(a*)*b",
    "^(a|a)*$",
    "^(a|aa)+$",
    "^(?:a|b|ab)+c$",
    "^(\\w+\\s?)*$",
    "^(\\w?\\s?)*$",
    "^(\\d?(?=c+)a?)*$",
    "(x+x+)+y",
    "^(.*a){20}$",
    "^(a?){30}a{30}$",
    "^(a|a){30}b$",
    "((a|a)-)*x",
    "^((a*a*)-)*$",
    "(?=(a+)+b)c",
    `${"a?".repeat(30)}${"a".repeat(30)}`,
    "(a|a)".repeat(30),
    "(a*)*\\u{1f600}",
    "(.+\\1)+",
    "^(?:a(?<!ba*))*$",
    // without the u flag, which `\-` rules out, these are letters and counts
    "^(?:uzzzz|\\uzzzz)*\\-$",
    "^(?:xzz|\\xzz)*\\-$",
    "^(?:uu|\\u{2})*\\-$",
    "^(?:p|\\p{1,3})*\\-$",
    "^(?:\\\\c1|\\c1)*\\-$",
  ])("%s is refused at compile time, with the place and the fix", (pattern) => {
    const error = caught(() => compile({ properties: { a: { pattern } } }));
    expect(error).toBeInstanceOf(SchemaError);
    expect(error).toMatchObject({ code: "UNSAFE_PATTERN", location: "#/properties/a/pattern" });
    expect(String(error)).toContain("options.patternEngine");
  });

  test.each([
    ["^[a-z]+$", 1],
    ["^[a-z0-9]+(-[a-z0-9]+)*$", 1],
    ["^(/[^/]+)+/?$", 1],
    ["^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", 1],
    ["^(\\d{1,3}\\.){3}\\d{1,3}$", 1],
    ["^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", 1],
    ['^(?:[^"\\\\]|\\\\.)*$', 1],
    ["^\\p{L}+(-\\p{L}+)*$", 1],
    ["^(?=.*[a-z])(?=.*\\d).{8,}$", 1],
    ["\\S", 1],
    [".+", 1],
    ["(a*)*", 1],
    ["(foo.*)", 1],
    [`^${"(".repeat(60)}a${")".repeat(60)}`, 0],
    ["\\.pdf$", 1],
    ["[a-z]+@", 2],
    ["^\\s+|\\s+$", 2],
    [ZOD_EMAIL, 2],
    ["^\\S+@\\S+\\.\\S+$", 3],
    ["^a*a*a*a*b$", 4],
    ["(?!a*)", 2],
    ["^a*(?<!ba*)c", 2],
    ["^(?:[a-z](?<!-))+$", 1],
    ["^[a-z-]+(?<!-)$", 1],
    ["^\\u{41}\\u0041\\x41\\P{L}+-$", 1],
  ])("%s is taken to grow with power %i", (pattern, power) =>
    expect(growth(pattern, "u", { limits: withDefaults(), option: "steps", steps: 1e6, depth: 0 })[0]).toBe(power),
  );

  test("one of more than linear time runs on strings up to a cap, above which there is no verdict", () => {
    const { check } = compile({ pattern: ZOD_EMAIL });
    expect(check("somebody@example.com")).toBe(true);
    expect(check("somebody@example")).toBe(false);
    expect(check(`${"a".repeat(9_000)}@example.com`)).toBe(true);
    expect(caught(() => check("a".repeat(10_001)))).toMatchObject({ code: "LIMIT_EXCEEDED", option: "patternInput" });
    expect(
      caught(() => compile({ pattern: ZOD_EMAIL }, { limits: { patternInput: 10 } }).check("a".repeat(11))),
    ).toBeInstanceOf(LimitError);
  });

  test("the cap falls as the power rises, and the budget counts what each string may cost", () => {
    const cubic = compile({ items: { pattern: "^a*a*a*b" } });
    expect(cubic.check(["a".repeat(464)])).toBe(false);
    expect(caught(() => cubic.check(["a".repeat(465)]))).toMatchObject({ option: "patternInput" });
    const quadratic = compile({ items: { not: { pattern: "a+b" } } });
    expect(caught(() => quadratic.check(Array.from({ length: 100 }, () => "a".repeat(10_000))))).toMatchObject({
      option: "steps",
    });
  });

  test("a linear one has no cap", () => {
    expect(compile({ pattern: "^[a-z]+$" }).check("a".repeat(1_000_000))).toBe(true);
  });

  test("another engine can be plugged in, which is trusted", () => {
    const patternEngine = (source: string) => ({ test: (text: string) => source === "^(a+)+$" && text === "a" });
    const { check } = compile({ pattern: "^(a+)+$" }, { patternEngine });
    expect(check("a")).toBe(true);
    expect(check(`${"a".repeat(50)}!`)).toBe(false);
  });

  test.each([
    `^${"(".repeat(100)}${"()()()|".repeat(10)}${"){4}".repeat(100)}`,
    "(|){30}x",
    "a".repeat(100_000),
    "(?:ab?c|d)*".repeat(3_000),
    `${"(".repeat(2_000)}a${")".repeat(2_000)}`,
  ])("one that is too much work to tell is refused", (pattern) => {
    expect(caught(() => compile({ pattern }))).toBeInstanceOf(LimitError);
  });

  test("patterns of property names are held to the same", () => {
    expect(caught(() => compile({ patternProperties: { "^(a+)+$": {} } }))).toMatchObject({ code: "UNSAFE_PATTERN" });
  });
});

test("a pattern that only ECMAScript without the u flag reads is read that way", () => {
  expect(compile({ pattern: "^[\\w-.]+\\@\\w+$" }).check("a.b-c@d")).toBe(true);
});
