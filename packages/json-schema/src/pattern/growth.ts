import { createAlphabet } from "./alphabet.js";
import { type Automaton, build, isAnchored } from "./automaton.js";
import { type Components, components } from "./components.js";
import { type Part, parse } from "./parse.js";

/** Pairs of moves looked at before a pattern is given up on. */
const MOST_PAIRS = 200_000;
/** Ways to match one string by choices outside of repeats that are still harmless. */
const MOST_WAYS = 65_536;

/** How the time of a backtracking matcher grows. Never too low; at times too high. */
export interface Growth {
  /** With this power of the length of the string; `Infinity` for exponentially. */
  readonly power: number;
  /** The most ways to match one string that do not depend on its length. */
  readonly ways: number;
}

const UNBOUNDED: Growth = { power: Number.POSITIVE_INFINITY, ways: Number.POSITIVE_INFINITY };

export function growth(source: string, flags: string): Growth {
  const pattern = parse(source, flags.includes("u"));
  if (pattern === undefined) return UNBOUNDED;
  // (?i: and (?s: make more characters match; to take them for the whole pattern is never too low
  const setOf = createAlphabet(source, /\(\?[a-z]/.test(source) ? `${flags}is` : flags);
  const grow = (part: Part, searches: boolean): Growth => {
    const automaton = build(part, setOf, searches);
    if (automaton === undefined) return UNBOUNDED;
    const own = growthOf(automaton);
    const looks = automaton.looks.map((look): Growth => {
      const inner = grow(look.part, false);
      return look.once ? inner : { power: inner.power + own.power, ways: inner.ways * own.ways };
    });
    return [own, ...looks].reduce((a, b) => ({ power: Math.max(a.power, b.power), ways: Math.max(a.ways, b.ways) }));
  };
  return grow(pattern, !isAnchored(pattern));
}

function growthOf(automaton: Automaton): Growth {
  const parts = components(automaton.next);
  const loops = new Set<number>();
  for (const [index, group] of parts.groups.entries()) {
    const [first = 0] = group;
    if (group.length === 1 && !automaton.next[first]?.has(first)) continue;
    loops.add(index);
    if (isAmbiguous(automaton, parts, index)) return UNBOUNDED;
  }
  const ways = choices(automaton, parts);
  return ways > MOST_WAYS ? UNBOUNDED : { power: longestChain(automaton, parts, loops), ways };
}

/** Can a loop come back to where it was by two ways on one string? Then n rounds have 2ⁿ ways. */
function isAmbiguous({ next, sets }: Automaton, { of, groups }: Components, loop: number): boolean {
  const group = groups[loop] ?? [];
  const within = new Map(
    group.map((position) => [position, [...(next[position] ?? [])].filter(([target]) => of[target] === loop)]),
  );
  const seen = new Set<number>();
  const open = group.map((position): readonly [number, number] => [position, position]);
  let looked = 0;
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    for (const [toA, ways] of within.get(a) ?? []) {
      if (a === b && ways > 1) return true;
      for (const [toB] of within.get(b) ?? []) {
        if (++looked > MOST_PAIRS) return true;
        if (toA === toB) {
          if (a !== b) return true;
          continue;
        }
        const key = Math.min(toA, toB) * next.length + Math.max(toA, toB);
        if (seen.has(key) || !meet(sets, toA, toB)) continue;
        seen.add(key);
        open.push([toA, toB]);
      }
    }
  }
  return false;
}

function meet(sets: readonly bigint[], a: number, b: number): boolean {
  return ((sets[a] ?? 0n) & (sets[b] ?? 0n)) !== 0n;
}

/** The most ways to go on that one character leaves, multiplied along the worst way through the pattern. */
function choices({ next, sets }: Automaton, { of, groups }: Components): number {
  const worst: number[] = [];
  for (let index = groups.length - 1; index >= 0; index--) {
    let here = 1;
    let after = 1;
    for (const position of groups[index] ?? []) {
      const moves = [...(next[position] ?? [])].filter(([target]) => of[target] !== index);
      for (const [target] of moves) {
        const ways = moves.reduce(
          (sum, [other, more]) => (target === other || meet(sets, target, other) ? sum + more : sum),
          0,
        );
        here = Math.max(here, ways);
        after = Math.max(after, worst[of[target] ?? 0] ?? 1);
      }
    }
    worst[index] = here * after;
  }
  return Math.max(...worst);
}

/**
 * The most loops in a row that can share one run of characters between them: n characters are shared by k loops in
 * about n to the power of k - 1 ways, and each takes n to find out. A loop with nothing after it that could fail does
 * not count, since the first way is taken.
 */
function longestChain(automaton: Automaton, { of, groups }: Components, loops: ReadonlySet<number>): number {
  const { next, sets, last, asserts } = automaton;
  const chains: number[] = [];
  const free: boolean[] = [];
  for (let index = groups.length - 1; index >= 0; index--) {
    const group = groups[index] ?? [];
    const targets = group.flatMap((position) => [...(next[position]?.keys() ?? [])]);
    free[index] =
      !asserts &&
      group.every((position) => last.has(position)) &&
      targets.every((target) => of[target] === index || free[of[target] ?? 0]);
    if (!loops.has(index) || free[index]) continue;
    const shared = group.reduce((set, position) => set | (sets[position] ?? 0n), 0n);
    const seen = new Set(group);
    let longest = 0;
    for (const position of seen) {
      for (const target of next[position]?.keys() ?? []) {
        if (((sets[target] ?? 0n) & shared) === 0n) continue;
        seen.add(target);
        longest = Math.max(longest, chains[of[target] ?? 0] ?? 0);
      }
    }
    chains[index] = longest + 1;
  }
  return Math.max(0, ...Object.values(chains));
}
