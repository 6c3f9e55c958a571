import type { Run } from "./limits.js";
import type { Marks } from "./marks.js";

/** The way down into a value, from its end. */
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

/** A compiled subschema. Where references may loop, `check` is set only after others have seen the node. */
export interface Node {
  check: Check;
  /** The schema is `false`. */
  readonly never: boolean;
}

export function pass(): boolean {
  return true;
}

/** Both, in this order; the second also after a fault, if faults are reported. */
function both(first: Check, second: Check): Check {
  return (value, run, marks, path) =>
    first(value, run, marks, path)
      ? second(value, run, marks, path)
      : path !== undefined && second(value, run, marks, path) && false;
}

export function all(checks: readonly Check[]): Check {
  return checks.length === 0 ? pass : checks.reduce(both);
}

/** The path of a member or item, when there is one to follow. */
export function below(path: Path | undefined, key: string | number): Path | undefined {
  return path && { up: path, key };
}
