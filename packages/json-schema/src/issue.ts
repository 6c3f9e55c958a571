import type { Check, Path, Run } from "./check.js";
import { LimitError } from "./errors.js";
import { step } from "./json.js";
import { within } from "./limits.js";
import type { Site } from "./site.js";
import { show } from "./wording.js";

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

/** More on a value that fails, such as what was meant. */
export type Hint = (value: unknown, run: Run) => string;

/** From the whole value down. */
export const stepsOf = ({ up, key = "" }: Path): readonly (string | number)[] =>
  up === undefined ? [] : [...stepsOf(up), key];

/** Adds an issue, and is `false` so that a check can end with it. */
export const add = (run: Run, issue: Issue): false => {
  // one more has to fit in, or the search is over
  within(run.limits, "issues", run.issues.push(issue) + 1);
  return false;
};

/** A fault by this keyword, told if somebody asks: what a value must do, and what it is instead. */
export const fail = (
  { place, keyword }: Pick<Site, "place" | "keyword">,
  run: Run,
  from: Path | undefined,
  wanted: string,
  value: unknown,
  hint?: Hint,
): false => {
  if (from === undefined) return false;
  const path = stepsOf(from);
  return add(run, {
    instancePath: path.reduce<string>(step, ""),
    path,
    keyword,
    message: `must ${wanted}; got ${show(value)}${hint?.(value, run) ?? ""}`,
    schemaPath: step(place.location, keyword),
  });
};

/**
 * The issues of a value in one schema, apart from those found so far. Where a bound ends the search, those until then.
 * @throws {LimitError} when there are none
 */
export const search = (check: Check, value: unknown, run: Run, path: Path): readonly Issue[] => {
  const { issues, depth, scope } = run;
  const found: Issue[] = [];
  run.issues = found;
  try {
    check(value, run, undefined, path);
  } catch (error) {
    if (!(error instanceof LimitError && found.length > 0)) throw error;
  }
  Object.assign(run, { issues, depth, scope });
  return found;
};
