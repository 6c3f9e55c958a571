import type { Check } from "./check.js";
import { compileAll } from "./compiler.js";
import { type Dialect, type DialectName, metaSchema } from "./dialect.js";
import type { Defaults } from "./filler.js";
import type { Formats } from "./format.js";
import { type Issue, search } from "./issue.js";
import { begin, type Limits, type Run, type Scope, withDefaults } from "./limits.js";
import type { PatternEngine } from "./pattern/pattern.js";
import { createRegistry, type RegistryOptions } from "./registry.js";
import type { Schema } from "./resource.js";
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
function verify(schema: Schema, dialect: Dialect): Issue | undefined {
  dialect.verifier ??= build(
    metaSchema(dialect.keywords),
    { patternEngine: (source) => new RegExp(source), limits: { steps: Infinity } },
    () => undefined,
  );
  const verdict = dialect.verifier.validate(schema);
  return verdict.valid ? undefined : verdict.issues[0];
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

function build<T>(schema: unknown, options: CompileOptions, verify: RegistryOptions["verify"]): Validator<T> {
  const limits = withDefaults(options.limits);
  const { formats, patternEngine, dialect = "2020-12", documents = {} } = options;
  const registry = createRegistry(schema, {
    dialect,
    documents,
    assertsFormats: formats !== undefined,
    limits,
    verify,
  });
  const { root } = registry;
  const { check } = compileAll(registry, { formats, limits, patternEngine });
  const scope: Scope = { resource: root.resource, up: undefined };
  const fill = options.defaults?.createFiller(registry, root);
  return {
    check(value): value is T {
      const run = begin(limits, scope);
      return check(fill === undefined ? value : fill(value, run), run);
    },
    validate(value) {
      const run = begin(limits, scope);
      const filled = fill === undefined ? value : fill(value, run);
      const accept = (accepted: unknown): accepted is T => check(accepted, run);
      if (accept(filled)) return { valid: true, value: filled };
      return { valid: false, issues: explain(check, filled, begin(limits, scope)) };
    },
  };
}

/** Explaining has a budget of its own; what it found until then is enough. */
function explain(check: Check, value: unknown, run: Run): readonly Issue[] {
  const issues = search(check, value, run, {});
  if (issues.length > 0) return issues.slice(0, run.limits.issues);
  const message = `must match the schema; got ${show(value)}`;
  return [{ instancePath: "", path: [], keyword: "schema", message, schemaPath: "#" }];
}
