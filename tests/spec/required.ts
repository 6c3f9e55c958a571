import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A row of the requirement matrix, cut to what the coverage needs. */
export interface RequiredLine {
  readonly id: string;
  readonly group: string;
  readonly who: string;
  /** Whether a test can see it: its test column is no review, design review, document or checklist. */
  readonly testable: boolean;
}

/** The folder with the protocol's data: `PARLANCE_SPEC_DATA`, or `shared` beside the repository. */
export const specData: string = process.env["PARLANCE_SPEC_DATA"] ?? join(import.meta.dirname, "../../../shared");

const row = /^\| ([A-Z]+(?:-[A-Z]+)?-\d+)(?: \*\*\(!\)\*\*)? \| ([^|]+) \| .* \| ([^|]*) \|$/;
const unseen = /^(Design review|Review|Doc|Host checklist)/;

/** Reads the requirement matrix, or says that it is not there. */
export function readRequired(): readonly RequiredLine[] | undefined {
  let text: string;
  try {
    text = readFileSync(join(specData, "spec/requirements.md"), "utf8");
  } catch {
    return undefined;
  }
  return text.split("\n").flatMap((line) => {
    const [, id, who, test] = row.exec(line) ?? [];
    if (id === undefined || who === undefined || test === undefined) return [];
    return [{ id, group: id.replace(/-\d+$/, ""), who: who.trim(), testable: !unseen.test(test.trim()) }];
  });
}
