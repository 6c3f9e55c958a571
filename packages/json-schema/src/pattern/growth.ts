import { type Automaton, type Block, read, type State } from "./automaton.js";

/** How the time of a backtracking matcher grows. Never too low; at times too high. */
export interface Growth {
  /** With this power of the length of the string; `Infinity` for exponentially. */
  readonly power: number;
  /** The most ways to match one string that do not come from loops. */
  readonly ways: number;
}

/** Moves looked at before a loop is given up on. */
const MOST_PAIRS = 200_000;
/** Ways that are still harmless. */
const MOST_WAYS = 65_536;
const UNBOUNDED: Growth = { power: Number.POSITIVE_INFINITY, ways: 1 };

export function growth(source: string, flags: string): Growth {
  // (?i: and (?s: make more characters match; to take them for the whole pattern is never too low
  const automaton = read(source, /\(\?[a-z]/.test(source) ? `${flags}is` : flags);
  const grown = automaton === undefined ? UNBOUNDED : growthOf(automaton);
  return grown.ways > MOST_WAYS ? UNBOUNDED : grown;
}

interface Sum {
  readonly ways: number;
  readonly chain: number;
  /** Every way on from here ends well. */
  readonly isFree: boolean;
}

const NONE: Sum = { ways: 1, chain: 0, isFree: true };

/** From the end to the start, what comes after each block is known before it. */
function growthOf({ states, last, isCertain }: Automaton): Growth {
  const sums = new Map<Block, Sum>();
  let power = 0;
  for (const block of [...new Set(states.map((state) => state.block))].reverse()) {
    if (block.isLoop && isAmbiguous(block)) return UNBOUNDED;
    let here = 1;
    let after = 1;
    let isFree = isCertain;
    for (const state of block.states) {
      const moves = [...state.next].filter(([target]) => target.block !== block);
      isFree &&= last.has(state);
      for (const [target] of moves) {
        const sum = sums.get(target.block) ?? NONE;
        here = Math.max(here, waysTo(target, moves));
        after = Math.max(after, sum.ways);
        isFree &&= sum.isFree;
      }
    }
    const chain = block.isLoop && !isFree ? 1 + longestAfter(block, sums) : 0;
    power = Math.max(power, chain);
    sums.set(block, { ways: here * after, chain, isFree });
  }
  const [start] = states;
  return { power, ways: start === undefined ? 1 : (sums.get(start.block)?.ways ?? 1) };
}

function meet(a: State, b: State): boolean {
  return a === b || (a.set & b.set) !== 0n;
}

/** The ways that a character leaves which leads to this target. */
function waysTo(target: State, moves: readonly (readonly [State, number])[]): number {
  return moves.reduce((sum, [other, ways]) => (meet(target, other) ? sum + ways : sum), 0);
}

/** Can a loop come back to where it was by two ways on one string? Then n rounds have 2ⁿ ways. */
function isAmbiguous(loop: Block): boolean {
  const seen = new Map<State, Set<State>>(loop.states.map((state) => [state, new Set([state])]));
  const open = loop.states.map((state): readonly [State, State] => [state, state]);
  let looked = 0;
  for (const [a, b] of open) {
    for (const [toA, ways] of inside(loop, a)) {
      if (a === b && ways > 1) return true;
      for (const [toB] of inside(loop, b)) {
        if (++looked > MOST_PAIRS || (toA === toB && a !== b)) return true;
        if (toA === toB || seen.get(toA)?.has(toB) || !meet(toA, toB)) continue;
        seen.get(toA)?.add(toB);
        open.push([toA, toB]);
      }
    }
  }
  return false;
}

function inside(loop: Block, { next }: State): Iterable<readonly [State, number]> {
  return [...next].filter(([target]) => target.block === loop);
}

/**
 * The most loops in a row after this one that can share a run of characters with it: n characters are shared by k loops
 * in about n to the power of k - 1 ways, and each takes n to find out. A loop after which nothing can fail does not
 * count, since its first way is taken.
 */
function longestAfter(loop: Block, sums: ReadonlyMap<Block, Sum>): number {
  const shared = loop.states.reduce((set, state) => set | state.set, 0n);
  const reached = new Set(loop.states);
  let longest = 0;
  for (const { next } of reached) {
    for (const target of next.keys()) {
      if ((target.set & shared) === 0n) continue;
      reached.add(target);
      longest = Math.max(longest, sums.get(target.block)?.chain ?? 0);
    }
  }
  return longest;
}
