import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The revisions that the suite has a list of requirements for. */
export const revisions = ["2025-11-25", "2026-07-28"];

/** Scenarios whose feature is not here yet, by the role that is tested. */
const waiting = {
  server: [],
  client: [/^auth\//],
};

/** What the suite's own list asks of a role at a revision, what it does not score included, in its order. */
export function scenariosOf(role, revision) {
  const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
  const names = { server: [], client: [] };
  let list;
  let unscored;
  for (const line of readFileSync(join(dirname(manifest), "requirements", `${revision}.yaml`), "utf8").split("\n")) {
    const [, heading] = /^(\w+):/.exec(line) ?? [];
    if (heading !== undefined) list = names[heading];
    const [, required] = /^ {2}- ([\w/.-]+)$/.exec(line) ?? [];
    if (required !== undefined) list?.push(required);
    unscored = /^ {2}- scenario: (\S+)/.exec(line)?.[1] ?? unscored;
    const [, leg] = /^ {4}leg: (\w+)/.exec(line) ?? [];
    if (leg !== undefined) names[leg].push(unscored);
  }
  return names[role];
}

/** Whether a scenario is to be run: its feature is here. */
export function applies(role, scenario) {
  return !waiting[role].some((pattern) => pattern.test(scenario));
}
