import type { RequiredLine } from "./required.js";

/** Shows for each group how many of its lines a test names, of those that a test can see on the wire. */
export function formatCoverage(required: readonly RequiredLine[], listed: ReadonlySet<string>): string {
  const groups = new Map<string, { seen: number; lines: number }>();
  for (const { id, group, testable } of required) {
    const count = groups.get(group) ?? { seen: 0, lines: 0 };
    if (listed.has(id)) count.seen += 1;
    if (testable || listed.has(id)) count.lines += 1;
    groups.set(group, count);
  }
  const rows = [...groups].map(([group, { seen, lines }]) => {
    const bar = "█".repeat(Math.round((20 * seen) / Math.max(lines, 1))).padEnd(20, "·");
    return `${group.padEnd(8)} ${bar} ${String(seen).padStart(3)} of ${lines}`;
  });
  const total = [...groups.values()].reduce((sum, { seen }) => sum + seen, 0);
  return [...rows, `${total} lines of the protocol are named by a test`].join("\n");
}
