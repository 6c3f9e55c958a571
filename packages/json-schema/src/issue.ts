import type { Path } from "./check.js";
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

/** Adds an issue, and is `false` so that a check can end with it. */
export function report(run: Run, from: Path, schemaPath: string, keyword: string, message: string): false {
  spend(run, 1);
  const path: (string | number)[] = [];
  for (let at: Path | undefined = from; at !== undefined; at = at.up) if (at.key !== undefined) path.unshift(at.key);
  run.issues.push({ instancePath: path.reduce<string>(step, ""), path, keyword, message, schemaPath });
  // enough is known: the next report ends it
  if (run.issues.length >= run.limits.issues) run.steps = 0;
  return false;
}
