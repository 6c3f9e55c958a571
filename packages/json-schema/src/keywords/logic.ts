import { all, type Path, type Run } from "../check.js";
import { add, fail, type Issue, search, stepsOf } from "../issue.js";
import { own } from "../json.js";
import { assert, type Compile } from "../keyword.js";
import { spend } from "../limits.js";
import { join, type Marks } from "../marks.js";
import type { Place } from "../place.js";
import type { Site } from "../site.js";

/** Characters of what is told of all branches, since branches nest. */
const TOLD = 400;

/** How far below a value a fault by these keywords shows that another form was meant. */
const FORMS = { type: 0, const: 1, enum: 1 };

/** What a branch evaluates counts only if it holds. */
const tries = ({ check }: Place, value: unknown, run: Run, marks: Marks | undefined): boolean => {
  spend(run, 1);
  const branch: Marks | undefined = marks && new Set();
  const holds = check(value, run, branch);
  if (holds) join(marks, branch, run);
  return holds;
};

/** `anyOf`, and `oneOf` where a second match is a fault. */
export const choice =
  (isOne: boolean): Compile =>
  (_value, site) => {
    const places = site.held(site.keyword);
    return (value, run, marks, path) => {
      let first: Place | undefined;
      for (const place of places) {
        if (!tries(place, value, run, marks)) continue;
        if (isOne && first !== undefined) {
          return fail(site, run, path, `match exactly one schema, not those at ${first.key} and ${place.key}`, value);
        }
        first = place;
        if (!isOne && marks === undefined) break;
      }
      return first !== undefined || (path !== undefined && explain(site, places, value, run, path));
    };
  };

/** When its type or a constant rules out all branches but one, that one was meant; else each says its first fault. */
const explain = (site: Site, places: readonly Place[], value: unknown, run: Run, path: Path): false => {
  const attempts = places.map(({ check }) => search(check, value, run, path));
  const depth = stepsOf(path).length;
  const isOtherForm = ({ keyword, path }: Issue): boolean => path.length - depth <= (own(FORMS, keyword) ?? -1);
  const [meant, other] = attempts.filter((found) => !found.some(isOtherForm));
  if (meant !== undefined && other === undefined) {
    for (const issue of meant) add(run, issue);
    return false;
  }
  const faults = attempts.flatMap(([first]) => first && [...first.path.slice(depth), first.message].join(" "));
  const told = [...new Set(faults)].join("; or ").slice(0, TOLD);
  return fail(site, run, path, `match one of ${places.length} schemas`, value, () => `: ${told}`);
};

export const allOf: Compile = (_value, { held, keyword }) =>
  all(
    held(keyword).map((place) => (value, run, marks, path) => {
      spend(run, 1);
      return place.check(value, run, marks, path);
    }),
  );

export const not: Compile = (_value, site) => {
  const [place] = site.held(site.keyword);
  return assert(
    site,
    (value, run) => place !== undefined && !tries(place, value, run, undefined),
    "not match the schema",
  );
};

/** `if`, with `then` and `else`. */
export const condition: Compile = (_value, { held }) => {
  const [test, yes, no] = ["if", "then", "else"].map((keyword) => held(keyword)[0]);
  return (value, run, marks, path) =>
    (test && tries(test, value, run, marks) ? yes : no)?.check(value, run, marks, path) !== false;
};
