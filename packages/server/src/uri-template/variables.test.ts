import { expectTypeOf, test } from "vitest";
import type { TemplateVariables } from "./variables.js";

test("the variables of a template are typed by its text", () => {
  expectTypeOf<TemplateVariables<"a:{x}/{y:3}">>().toEqualTypeOf<{ readonly x: string; readonly y: string }>();
  expectTypeOf<TemplateVariables<"a:{+path}{?q,tags*}">>().toEqualTypeOf<{
    readonly path: string;
    readonly q?: string;
    readonly tags?: readonly string[];
  }>();
  expectTypeOf<TemplateVariables<"box:///tags{/id*}">>().toEqualTypeOf<{ readonly id?: readonly string[] }>();
  expectTypeOf<keyof TemplateVariables<"a:b">>().toEqualTypeOf<never>();
});

test("of a template that is not known before it runs, any variable may be there", () => {
  expectTypeOf<TemplateVariables<string>["x"]>().toEqualTypeOf<string | readonly string[] | undefined>();
});
