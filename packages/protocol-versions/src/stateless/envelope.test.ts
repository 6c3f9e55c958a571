import { expect, test } from "vitest";
import { metaKeyFault } from "../meta-key.js";
import * as envelope from "./envelope.js";

const keys = Object.entries(envelope).flatMap(([name, key]) => (name.endsWith("Key") ? [key] : []));

test("META-03: the prefix of every key that we write is a name in reverse DNS", () => {
  expect(keys).toHaveLength(6);
  for (const key of keys) {
    expect(metaKeyFault(String(key))).toBeUndefined();
    expect(key).toMatch(/^(?:io|com|org|net|dev)\.[a-z]+\//);
  }
});
