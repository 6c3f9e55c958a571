import { all, type Path, type Run } from "../check.js";
import { add, fail, type Issue, search, stepsOf } from "../issue.js";
import { assert, type Compile, type Vocabulary } from "../keyword.js";
import { spend } from "../limits.js";
import { join, type Marks } from "../marks.js";
import type { Place } from "../place.js";
import { SCHEMA, SCHEMAS } from "../shapes.js";
import type { Site } from "../site.js";

/** Characters of a fault that are told of a branch, since branches nest. */
const DESCRIBED = 120;
/** Faults that are told of all branches. */
const TOLD = 5;

/** `anyOf`, and `oneOf` where a second match is a fault. */
function choice(isOne: boolean): Compile {
  return (_value, site, keyword) => {
    const places = site.list(keyword);
    return (value, run, marks, path) => {
      let first: number | undefined;
      let index = -1;
      for (const { check } of places) {
        index++;
        spend(run, 1);
        const branch: Marks | undefined = marks && new Set();
        if (!check(value, run, branch)) continue;
        if (isOne && first !== undefined) {
          const wanted = `match exactly one schema, not those at ${first} and ${index}`;
          return fail(site.place, keyword, run, path, wanted, value);
        }
        first = index;
        join(marks, branch, run);
        if (!isOne && marks === undefined) break;
      }
      return first !== undefined || (path !== undefined && explain(site, keyword, places, value, run, path));
    };
  };
}

/** When its type or a constant rules out all branches but one, that one was meant; else each says its first fault. */
function explain(site: Site, keyword: string, places: readonly Place[], value: unknown, run: Run, path: Path): false {
  const attempts = places.map(({ check }) => search(check, value, run, path));
  const depth = stepsOf(path).length;
  // a fault of the type here, or of a constant here or one level below
  const isOtherForm = ({ keyword, path }: Issue): boolean =>
    keyword === "type" ? path.length === depth : /^(const|enum)$/.test(keyword) && path.length <= depth + 1;
  const [meant, other] = attempts.filter((found) => !found.some(isOtherForm));
  if (meant !== undefined && other === undefined) {
    for (const issue of meant) add(run, issue);
    return false;
  }
  return fail(site.place, keyword, run, path, `match one of ${places.length} schemas`, value, () => {
    const faults = attempts.flatMap(([first]) =>
      first === undefined ? [] : [...first.path.slice(depth), first.message].join(" ").slice(0, DESCRIBED),
    );
    return `: ${[...new Set(faults)].slice(0, TOLD).join("; or ")}`;
  });
}

const allOf: Compile = (_value, { list }, keyword) =>
  all(
    list(keyword).map((place) => (value, run, marks, path) => {
      spend(run, 1);
      return place.check(value, run, marks, path);
    }),
  );

const not: Compile = (_value, site, keyword) => {
  const place = site.node(keyword);
  const test = (value: unknown, run: Run): boolean => {
    spend(run, 1);
    return place?.check(value, run) === false;
  };
  return assert(site, keyword, test, 'not match the schema in "not"');
};

const condition: Compile = (_value, site, keyword) => {
  const [test, yes, no] = [keyword, "then", "else"].map(site.node);
  return (value, run, marks, path) => {
    spend(run, 1);
    const branch: Marks | undefined = marks && new Set();
    const holds = test?.check(value, run, branch);
    if (holds) join(marks, branch, run);
    return (holds ? yes : no)?.check(value, run, marks, path) !== false;
  };
};

export const LOGIC: Vocabulary = {
  if: [SCHEMA, condition],
  // biome-ignore lint/suspicious/noThenProperty: the name of the keyword
  then: [SCHEMA],
  else: [SCHEMA],
  allOf: [SCHEMAS, allOf],
  anyOf: [SCHEMAS, /* @__PURE__ */ choice(false)],
  oneOf: [SCHEMAS, /* @__PURE__ */ choice(true)],
  not: [SCHEMA, not],
};
