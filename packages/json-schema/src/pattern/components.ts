import type { Ways } from "./automaton.js";

export interface Components {
  /** The component of each position. */
  readonly of: readonly number[];
  /** The positions of each component; moves between components lead to later ones. */
  readonly groups: readonly (readonly number[])[];
}

/** The strongly connected components, by Kosaraju's algorithm: without recursion, since patterns can be long. */
export function components(next: readonly Ways[]): Components {
  const before = next.map((): number[] => []);
  for (const [position, ways] of next.entries()) for (const target of ways.keys()) before[target]?.push(position);
  const of: number[] = [];
  const groups: number[][] = [];
  for (const root of postorder(next).reverse()) {
    if (of[root] !== undefined) continue;
    const group: number[] = [];
    const open = [root];
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      if (of[position] !== undefined) continue;
      of[position] = groups.length;
      group.push(position);
      open.push(...(before[position] ?? []));
    }
    groups.push(group);
  }
  return { of, groups };
}

function postorder(next: readonly Ways[]): number[] {
  const seen = new Set<number>();
  const left = new Set<number>();
  const open = [...next.keys()].reverse();
  for (let position = open.at(-1); position !== undefined; position = open.at(-1)) {
    if (seen.has(position)) {
      open.pop();
      left.add(position);
      continue;
    }
    seen.add(position);
    for (const target of next[position]?.keys() ?? []) if (!seen.has(target)) open.push(target);
  }
  return [...left];
}
