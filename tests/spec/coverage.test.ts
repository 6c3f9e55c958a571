import { join } from "node:path";
import { expect, test } from "vitest";
import { laterLines } from "./later.js";
import { specLines, wholeGroups } from "./lines.js";
import { reports } from "./reports.js";
import { readRequired, specData } from "./required.js";
import { formatCoverage } from "./table.js";
import { readNamedIds } from "./titles.js";

const named = readNamedIds(join(import.meta.dirname, "../.."));
const listed = new Set(specLines.map((line) => line.id));
const later = new Set(Object.values(laterLines).flat());
const required = readRequired();

test("a line is listed once", () => {
  expect(specLines.map((line) => line.id).filter((id, at, all) => all.indexOf(id) !== at)).toEqual([]);
});

test("every listed line is named by the title of a test", () => {
  expect([...listed].filter((id) => !named.has(id))).toEqual([]);
});

test("every reported fault is named by the title of a test", () => {
  const faults = Object.values(reports).flatMap((theme) => Object.keys(theme));
  expect(faults.filter((id) => !named.has(id))).toEqual([]);
});

test("a line is listed or waits for its part, not both", () => {
  expect([...later].filter((id) => listed.has(id))).toEqual([]);
});

if (required === undefined) {
  test.todo(`no data: there is no spec/requirements.md in ${specData}`);
} else {
  if (process.env["SPEC_COVERAGE"] === "1") process.stdout.write(`${formatCoverage(required, listed)}\n`);
  const known = new Set(required.map((line) => line.id));

  test("every line that a title names and the matrix knows is listed", () => {
    expect([...named.keys()].filter((id) => known.has(id) && !listed.has(id))).toEqual([]);
  });

  test("every listed line is in the matrix", () => {
    expect([...listed, ...later].filter((id) => !known.has(id))).toEqual([]);
  });

  test("no line of a whole group is forgotten", () => {
    const forgotten = required.filter(
      ({ id, group, who, testable }) =>
        wholeGroups.includes(group) && testable && /^[CSB]$/.test(who) && !listed.has(id) && !later.has(id),
    );
    expect(forgotten.map((line) => line.id)).toEqual([]);
  });
}
