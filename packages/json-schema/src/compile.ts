import type { Check } from "./check.js";
import { compileAll } from "./compiler.js";
import type { DialectName } from "./dialect.js";
import { SchemaError } from "./errors.js";
import type { Defaults } from "./filler.js";
import type { Formats } from "./format.js";
import { type Issue, report, search } from "./issue.js";
import { step } from "./json.js";
import { begin, type Limits, type Run, withDefaults } from "./limits.js";
import type { PatternEngine } from "./pattern/pattern.js";
import { createRegistry } from "./registry.js";
import type { Place } from "./resource.js";
import { show } from "./wording.js";

/**
 * How a schema is compiled.
 * @stable
 */
export interface CompileOptions {
  /** The dialect of a schema that has no `$schema`. Default `"2020-12"`. */
  readonly dialect?: DialectName | undefined;
  /** Other schema documents that references may lead to, by their URI. Nothing is ever fetched. Default none. */
  readonly documents?: Readonly<Record<string, unknown>> | undefined;
  /** The formats to assert; `format` is an annotation for all others. Default none. */
  readonly formats?: Formats | undefined;
  /** Fills `default`s in before validating, in a copy: `defaults` of `@parlance/json-schema/defaults`. Default none. */
  readonly defaults?: Defaults | undefined;
  /** Bounds on the schema and on the work of a validation. */
  readonly limits?: Limits | undefined;
  /** Runs patterns in place of `RegExp`, with no check for safety and no cap: for an engine of linear time. */
  readonly patternEngine?: PatternEngine | undefined;
}

/**
 * What `validate` finds: the value, a copy with its defaults if they were asked for, or what is wrong with it.
 * @stable
 */
export type Verdict<T = unknown> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly issues: readonly Issue[] };

/**
 * A compiled schema. `T` is what you say that it describes.
 * @stable
 */
export interface Validator<T = unknown> {
  /**
   * Is the value valid? Stops at the first fault.
   * @throws {LimitError} when a bound is exceeded
   */
  check(value: unknown): value is T;
  /**
   * The value, or what is wrong with it.
   * @throws {LimitError} when a bound is exceeded
   */
  validate(value: unknown): Verdict<T>;
}

/** Schemas are validated too, against what their dialect says of keywords. */
function verify({ schema, location, resource: { dialect } }: Place): void {
  dialect.verifier ??= build(dialect.metaSchema, { limits: { steps: Infinity } }, () => {});
  const verdict = dialect.verifier.validate(schema);
  if (verdict.valid) return;
  for (const { path, message } of verdict.issues) {
    const keyword = path.at(-1) ?? "schema";
    const hint = keyword === "items" ? "; in 2020-12 a tuple is prefixItems" : "";
    throw new SchemaError("INVALID_SCHEMA", path.reduce<string>(step, location), `${keyword} ${message}${hint}`);
  }
}

/**
 * Compiles a JSON Schema, once for any number of values.
 *
 * @throws {SchemaError} when the schema is invalid, of an unknown dialect, refers to what is not there, or has an unsafe pattern
 * @throws {LimitError} when the schema exceeds a bound
 * @see MCP 2026-07-28, basic, "JSON Schema Usage"
 * @stable
 */
export function compile<T = unknown>(schema: unknown, options: CompileOptions = {}): Validator<T> {
  return build(schema, options, verify);
}

function build<T>(schema: unknown, options: CompileOptions, verify: (place: Place) => void): Validator<T> {
  const limits = withDefaults(options.limits);
  const registry = createRegistry(schema, options, limits);
  const { root } = registry;
  compileAll(registry, options, limits, verify);
  const fill = options.defaults?.createFiller(registry, root);
  const scope = { resource: root.resource };
  const start = (): Run => begin(limits, scope);
  const filled = (value: unknown, run: Run): unknown => (fill === undefined ? value : fill(value, run));
  const holds = (value: unknown, run: Run): value is T => root.check(value, run);
  return {
    check(value): value is T {
      const run = start();
      return holds(filled(value, run), run);
    },
    validate(given) {
      const run = start();
      const value = filled(given, run);
      if (holds(value, run)) return { valid: true, value };
      // explaining has a budget of its own; what it found until then is enough
      const found = [root.check, mismatch].map((check) => search(check, value, start(), {}));
      return { valid: false, issues: found.find((issues) => issues.length > 0) ?? [] };
    },
  };
}

const mismatch: Check = (value, run, _marks, path = {}) =>
  report(run, path, "#", "schema", `must match the schema; got ${show(value)}`);
