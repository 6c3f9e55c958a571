import { begin, type Run } from "./check.js";
import { compose } from "./compose.js";
import type { CustomDialects, DialectName } from "./dialect.js";
import { SchemaError } from "./errors.js";
import type { Defaults, Fill } from "./filler.js";
import type { Formats } from "./format.js";
import { type Issue, search } from "./issue.js";
import { step } from "./json.js";
import { type Limits, withDefaults } from "./limits.js";
import type { PatternEngine } from "./pattern/pattern.js";
import type { Place } from "./place.js";
import { createRegistry } from "./registry.js";

/**
 * How a schema is compiled.
 * @stable
 */
export interface CompileOptions {
  /** The dialect of a schema that has no `$schema`. Default `"2020-12"`. */
  readonly dialect?: DialectName | undefined;
  /** Other schema documents that references may lead to, by their URI. Nothing is ever fetched. Default none. */
  readonly documents?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Lets `$schema` name a meta-schema among the documents that lists vocabularies of 2020-12: `customDialects` of
   * `@parlance/json-schema/meta-schemas`. Default none.
   */
  readonly customDialects?: CustomDialects | undefined;
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
const verify = ({ schema, location, resource: { dialect } }: Place): void => {
  dialect.verifier ??= build(dialect.metaSchema, {}, () => {});
  const verdict = dialect.verifier.validate(schema);
  if (verdict.valid) return;
  for (const { path, message } of verdict.issues) {
    throw new SchemaError("INVALID_SCHEMA", path.reduce<string>(step, location), message);
  }
};

/**
 * Compiles a JSON Schema, once for any number of values.
 *
 * @throws {SchemaError} when the schema is invalid, of an unknown dialect, refers to what is not there, or has an unsafe pattern
 * @throws {LimitError} when the schema exceeds a bound
 * @see MCP 2026-07-28, basic, "JSON Schema Usage"
 * @stable
 */
export const compile = <T = unknown>(schema: unknown, options: CompileOptions = {}): Validator<T> =>
  build(schema, options, verify);

const build = <T>(schema: unknown, options: CompileOptions, verify: (place: Place) => void): Validator<T> => {
  const limits = withDefaults(options.limits);
  // schemas may nest a quarter as deep as what they validate
  const budget = begin(limits, "schemaSize", limits.depth * 0.75);
  const registry = createRegistry(schema, options, budget);
  const { root, places, find } = registry;
  // what the schema itself nests is kept in reserve
  let depth = 0;
  for (const place of places) {
    verify(place);
    compose(place, find, options, budget);
    depth = Math.max(depth, place.depth);
  }
  const fill: Fill = options.defaults?.(registry) ?? ((value) => value);
  const scope = { resource: root.resource };
  const start = (): Run => begin(limits, "steps", depth, scope);
  return {
    check(value): value is T {
      const run = start();
      return root.check(fill(value, run), run);
    },
    validate(given) {
      const run = start();
      const value = fill(given, run);
      if (root.check(value, run)) return { valid: true, value: value as T };
      // explaining has a budget of its own
      return { valid: false, issues: search(root.check, value, start(), {}) };
    },
  };
};
