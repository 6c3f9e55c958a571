/** What the keywords of a schema have evaluated of one object or array; kept only where `unevaluated…` looks at it. */
export interface Marks {
  readonly names: Set<string>;
  /** Items before this index are evaluated. */
  items: number;
  /** Single items that `contains` matched. */
  readonly indexes: Set<number>;
}

export function createMarks(): Marks {
  return { names: new Set(), items: 0, indexes: new Set() };
}

/** A failed branch evaluates nothing, so each branch gets its own marks, joined when it holds. */
export function fork(marks: Marks | undefined): Marks | undefined {
  return marks && createMarks();
}

export function join(marks: Marks | undefined, branch: Marks | undefined): void {
  if (marks === undefined || branch === undefined) return;
  for (const name of branch.names) marks.names.add(name);
  for (const index of branch.indexes) marks.indexes.add(index);
  marks.items = Math.max(marks.items, branch.items);
}
