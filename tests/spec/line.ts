/** One line of the protocol that a test proves. */
export interface SpecLine {
  /** The stable id that the test's title starts with. */
  readonly id: string;
  /** The revisions it holds for: `All`, `M` (2026-07-28), `L` (all earlier), or a range such as `25-06+`. */
  readonly revision: string;
  /** The page of the specification that says it. */
  readonly page: string;
  /** What it asks, in half a sentence. */
  readonly says: string;
}

/** Writes the lines of one page tersely: id, revision, what it asks. */
export function lines(
  page: string,
  rows: readonly (readonly [id: string, revision: string, says: string])[],
): readonly SpecLine[] {
  return rows.map(([id, revision, says]) => ({ id, revision, page, says }));
}
