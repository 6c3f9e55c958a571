import { LimitError, type LimitErrorCode } from "./errors.js";
import type { Issue } from "./issue.js";
import type { Resource } from "./resource.js";

/**
 * The bounds of one validator. Exceeding one is a `LimitError`, never a verdict.
 * @stable
 */
export interface Limits {
  /** Levels of nesting in a schema document, as JSON. Default 128. */
  readonly schemaDepth?: number | undefined;
  /** Size of all schema documents used, in characters of JSON text, roughly. Default 1,000,000. */
  readonly schemaSize?: number | undefined;
  /** Subschemas in all documents used. Default 5,000. */
  readonly subschemas?: number | undefined;
  /** Length of one `pattern` in UTF-16 code units. Default 2,000. */
  readonly patternLength?: number | undefined;
  /** Work of analyzing all patterns of a schema: each costs the square of its length. Default 20,000,000: five of the longest. */
  readonly patternWork?: number | undefined;
  /** Levels of subschemas within each other while validating; recursive references add up. Default 1,000. */
  readonly depth?: number | undefined;
  /** Work of one validation: about one step a subschema applied, an item or member seen. Default 1,000,000. */
  readonly steps?: number | undefined;
  /**
   * Longest string, in UTF-16 code units, that a pattern of quadratic cost is run on; of cubic and worse cost
   * as many as take the same time. Linear patterns have no cap. Default 10,000.
   */
  readonly patternInput?: number | undefined;
  /** Issues that `validate` collects before it stops. Default 100. */
  readonly issues?: number | undefined;
}

export type AllLimits = { readonly [Name in keyof Limits]-?: number };

const DEFAULT_LIMITS: AllLimits = {
  schemaDepth: 128,
  schemaSize: 1_000_000,
  subschemas: 5_000,
  patternLength: 2_000,
  patternWork: 20_000_000,
  depth: 1_000,
  steps: 1_000_000,
  patternInput: 10_000,
  issues: 100,
};

export function withDefaults(limits: Limits = {}): AllLimits {
  return {
    ...DEFAULT_LIMITS,
    ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)),
  };
}

/** The resources that a validation went through, from the innermost out. */
export interface Scope {
  readonly resource: Resource;
  readonly up?: Scope | undefined;
}

/** What is left of the budget of a validation, and how deep it is. */
export interface Budget {
  readonly limits: AllLimits;
  steps: number;
  depth: number;
}

/** One validation under way: where it is, and what it found. */
export interface Run extends Budget {
  scope: Scope;
  issues: Issue[];
}

/** Where nobody searches for issues, none are found. */
const NONE: Issue[] = [];

export function begin(limits: AllLimits, scope: Scope): Run {
  return { limits, steps: limits.steps, depth: 0, scope, issues: NONE };
}

/** For what a schema itself has the size to bound. */
export const FREE: Budget = { limits: DEFAULT_LIMITS, steps: Infinity, depth: -Infinity };

/** @throws {LimitError} when more than the limit is used */
export function within(
  limits: AllLimits,
  option: keyof Limits,
  used: number,
  code: LimitErrorCode,
  detail?: string,
): void {
  if (used > limits[option]) throw new LimitError(code, option, limits, detail);
}

export function spend(run: Budget, steps: number): void {
  run.steps -= steps;
  if (run.steps < 0) throw new LimitError("TOO_MANY_STEPS", "steps", run.limits);
}

/** Goes `levels` deeper; the caller comes back up by taking them off `run.depth`. */
export function deepen(run: Budget, levels: number): void {
  run.depth += levels;
  within(run.limits, "depth", run.depth, "TOO_DEEP");
}
