import type { Issue } from "./issue.js";
import { kindOf } from "./json.js";
import type { AllLimits, Budget } from "./limits.js";
import type { Marks } from "./marks.js";
import type { Place, Resource } from "./place.js";

/** The resources that a validation went through, from the innermost out. */
export interface Scope {
  readonly resource: Resource;
  readonly up?: Scope | undefined;
}

/** One validation under way: what it may still do, where it is, and what it found. */
export interface Run extends Budget {
  scope: Scope | undefined;
  issues: Issue[];
}

/** Where nobody searches for issues, none are found. */
const NONE: Issue[] = [];

/** Compiling is a run too: engines like it when all that is spent from has one shape. */
export const begin = (limits: AllLimits, option: "schemaSize" | "steps", depth: number, scope?: Scope): Run => {
  return { limits, option, steps: limits[option], depth, scope, issues: NONE };
};

/** The way down into a value, from its end; the whole value has no key. */
export interface Path {
  readonly up?: Path | undefined;
  readonly key?: string | number | undefined;
}

/**
 * Does the value hold? Without a path it stops at the first fault; with one it reports every fault and where it is.
 * Marks are for what it evaluated of an object or array, when somebody asks.
 *
 * Written as a method so that a keyword may name the one kind of value that it is given.
 */
export type Check = { of(value: unknown, run: Run, marks?: Marks, path?: Path): boolean }["of"];

/** Takes whatever it is given. */
export const pass: Check = () => true;

/** All of them, in this order; those after a fault only if faults are reported. */
export const all = (checks: readonly Check[]): Check => {
  if (checks.length === 0) return pass;
  return checks.reduce(
    (first, second) => (value, run, marks, path) =>
      first(value, run, marks, path)
        ? second(value, run, marks, path)
        : path !== undefined && second(value, run, marks, path) && false,
  );
};

/** Holds a member or item to a subschema. Most ask for no more than a kind, which is told without a call. */
export const apply = (place: Place, value: unknown, run: Run, path?: Path, key?: string | number): boolean =>
  (place.plain & kindOf(value)) !== 0 || place.check(value, run, undefined, path && { up: path, key });
