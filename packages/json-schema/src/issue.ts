import type { Check, Path } from "./check.js";
import { LimitError } from "./errors.js";
import { step } from "./json.js";
import { type Run, spend } from "./limits.js";

/**
 * One fault of a value.
 * @stable
 */
export interface Issue {
  /** Where in the value: a JSON pointer, `""` for the whole. */
  readonly instancePath: string;
  /** The same place as its steps. */
  readonly path: readonly (string | number)[];
  /** The keyword that was not met; `false schema` where the schema is `false`. */
  readonly keyword: string;
  /** What is wrong, with the value, and what would be right. */
  readonly message: string;
  /** Where in the schema: a JSON pointer as a URI fragment, after following references. */
  readonly schemaPath: string;
}

/** Thrown to end a search for issues that has found enough. */
const ENOUGH: Error = new Error("enough issues");

/** From the whole value down. */
export function stepsOf({ up, key = "" }: Path): (string | number)[] {
  return up === undefined ? [] : [...stepsOf(up), key];
}

/** Adds an issue, and is `false` so that a check can end with it. */
export function report(run: Run, from: Path, schemaPath: string, keyword: string, message: string): false {
  spend(run, 1);
  const path = stepsOf(from);
  return add(run, { instancePath: path.reduce<string>(step, ""), path, keyword, message, schemaPath });
}

export function add(run: Run, issue: Issue): false {
  run.issues.push(issue);
  if (run.issues.length >= run.limits.issues) throw ENOUGH;
  return false;
}

/** The issues of a value in one schema, apart from those found so far. Where the budget ends, so does the search. */
export function search(check: Check, value: unknown, run: Run, path: Path): readonly Issue[] {
  const { issues, depth, scope } = run;
  const found: Issue[] = [];
  run.issues = found;
  try {
    check(value, run, undefined, path);
  } catch (error) {
    if (error !== ENOUGH && !(error instanceof LimitError)) throw error;
  }
  run.issues = issues;
  run.depth = depth;
  run.scope = scope;
  return found;
}
