import { all, type Check, type Path } from "../check.js";
import { type Issue, report, search } from "../issue.js";
import { assert, type Keyword } from "../keyword.js";
import { type Run, spend } from "../limits.js";
import { fork, join } from "../marks.js";
import { locationOf } from "../resource.js";
import type { Site } from "../site.js";
import { show } from "../wording.js";

/** Characters of a fault that are told of a branch, since branches nest. */
const DESCRIBED = 120;

function checksOf(site: Site, keyword: string): Check[] {
  return site.nodes(keyword).map(([, { check }]) => check);
}

function counted(check: Check): Check {
  return (value, run, marks, path) => {
    spend(run, 1);
    return check(value, run, marks, path);
  };
}

/** `anyOf`, and `oneOf` where a second match is a fault. */
const choice: Keyword = {
  compile(_value, site, keyword) {
    const checks = checksOf(site, keyword);
    const isOne = keyword === "oneOf";
    return (value, run, marks, path) => {
      let first = -1;
      for (const [index, check] of checks.entries()) {
        spend(run, 1);
        const branch = fork(marks);
        if (!check(value, run, branch)) continue;
        if (!isOne && marks === undefined) return true;
        if (isOne && first >= 0) {
          const message = `must match exactly one schema; ${show(value)} matches those at ${first} and ${index}`;
          return path !== undefined && report(run, path, locationOf(site.place, keyword), keyword, message);
        }
        first = index;
        join(marks, branch);
      }
      return first >= 0 || (path !== undefined && explain(site, keyword, checks, value, run, path));
    };
  },
};

/** When its type or a constant rules out all branches but one, that one was meant; else each says its first fault. */
function explain(site: Site, keyword: string, checks: readonly Check[], value: unknown, run: Run, path: Path): false {
  const attempts = checks.map((check) => search(check, value, run, path));
  let depth = 0;
  for (let at: Path | undefined = path; at.up !== undefined; at = at.up) depth++;
  const meant = attempts.filter((found) => !found.some((issue) => isOtherForm(issue, depth)));
  if (meant.length === 1) {
    run.issues.push(...(meant[0] ?? []));
    return false;
  }
  const faults = new Set(attempts.flatMap(([first]) => (first === undefined ? [] : [describe(first, depth)])));
  const message = `must match one of ${checks.length} schemas; got ${show(value)}: ${[...faults].slice(0, 5).join("; or ")}`;
  return report(run, path, locationOf(site.place, keyword), keyword, message);
}

/** A fault by which one sees that another form is meant: of the type here, or of a constant here or one level below. */
function isOtherForm({ keyword, path }: Issue, depth: number): boolean {
  return keyword === "type" ? path.length === depth : /^(const|enum)$/.test(keyword) && path.length <= depth + 1;
}

function describe({ message, path }: Issue, depth: number): string {
  return [...path.slice(depth), message].join(" ").slice(0, DESCRIBED);
}

const allOf: Keyword = {
  compile: (_value, site, keyword) => all(checksOf(site, keyword).map(counted)),
};

const not: Keyword = {
  compile(_value, site, keyword) {
    const check = site.node(keyword)?.check;
    const test = (value: unknown, run: Run): boolean => {
      spend(run, 1);
      return check?.(value, run) === false;
    };
    return assert(site, keyword, test, `not match the schema in "not"`);
  },
};

const condition: Keyword = {
  compile(_value, site, keyword) {
    const check = site.node(keyword)?.check;
    const yes = site.node("then")?.check;
    const no = site.node("else")?.check;
    return (value, run, marks, path) => {
      spend(run, 1);
      const branch = fork(marks);
      const holds = check?.(value, run, branch) === true;
      if (holds) join(marks, branch);
      const next = holds ? yes : no;
      return next === undefined || next(value, run, marks, path);
    };
  },
};

export const LOGIC: Readonly<Record<string, Keyword>> = {
  allOf,
  anyOf: choice,
  // a copy: keywords that are the same are compiled together, and these are not
  oneOf: { ...choice },
  not,
  if: condition,
};
