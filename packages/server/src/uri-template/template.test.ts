import { expect, test } from "vitest";
import { parseTemplate } from "./template.js";

test.each([
  ["a:{", "not closed"],
  ["a:}", "closes nothing"],
  ["a:{x{y}}", "no variable"],
  ["a:{}", "no variable"],
  ["a:{x,}", "no variable"],
  ["a:{x y}", "no variable"],
  ["a:{=x}", "operator"],
  ["a:{|x}", "operator"],
  ["a:{x:0}", "no variable"],
  ["a:{x:12345}", "no variable"],
  ["a:{x*:3}", "no variable"],
  ["a:{x}{x}", "twice"],
  ["a:{x,x}", "twice"],
])("%s is no template: %s", (template, why) => {
  const error = expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(why) });
  expect(() => parseTemplate(template)).toThrow(error);
});

test.each(["a:{x.y}", "a:{x_1}", "a:{%20x}", "a:{x:9999}", "a:{x*}", "a:b", ""])("%j is a template", (template) => {
  expect(() => parseTemplate(template)).not.toThrow();
});
