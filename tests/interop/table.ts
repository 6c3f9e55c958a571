import { type Cell, columns, type Outcome } from "./run.js";

const signs = { ok: "✓", failed: "✗", lacks: "–" } as const;
/** Their time is told: the others wait on purpose, or are over at once. */
const timed = ["connect", "close"];

/** One table of the outcomes in Markdown, which a terminal shows well too, with the reasons below. */
export function formatTable(title: string, outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => [
    nameOf(outcome),
    `${outcome.row.speaks.era} ${outcome.row.speaks.version}`,
    ...columns.map((column) => formatCell(column, outcome.cells.get(column))),
  ]);
  const table = [[title, "speaks", ...columns], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0))) ?? [];
  const lines = table.map((cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`);
  lines.splice(1, 0, `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
  return [...lines, "", ...reasons(outcomes)].join("\n").trimEnd();
}

/** What went wrong, a line each; of a row that never connected, only that. */
export function failures(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap((outcome) => {
    const failed = [...outcome.cells].flatMap(([column, cell]) =>
      cell.kind === "failed" ? [`${nameOf(outcome)}, ${column}: ${cell.why}`] : [],
    );
    return outcome.cells.get("connect")?.kind === "failed" ? failed.slice(0, 1) : failed;
  });
}

function nameOf({ row: { peer, how } }: Outcome): string {
  return how === "" ? peer : `${peer}, ${how}`;
}

function formatCell(column: string, cell: Cell | undefined): string {
  if (cell === undefined) return "";
  return cell.kind === "ok" && timed.includes(column) ? `✓ ${Math.round(cell.ms)} ms` : signs[cell.kind];
}

/** Why cells have a dash: a line a reason, with the columns and peers that it is the reason for. */
function reasons(outcomes: readonly Outcome[]): readonly string[] {
  const found = new Map<string, string[]>();
  for (const outcome of outcomes) {
    for (const [column, cell] of outcome.cells) {
      if (cell.kind !== "lacks") continue;
      const reason = `${column}: ${cell.why}`;
      found.set(reason, [...(found.get(reason) ?? []), nameOf(outcome)]);
    }
  }
  return [...found].map(([reason, names]) => `- ${reason} (${names.join("; ")})`);
}
