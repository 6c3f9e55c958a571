import { type Block, read, type State } from "./automaton.js";

/** How the time of a backtracking matcher grows. Never too low; at times too high. */
export interface Growth {
  /** With this power of the length of the string; `Infinity` for exponentially. */
  readonly power: number;
  /** At most so many ways to match one string do not come from loops. */
  readonly ways: number;
}

/** Moves looked at before a loop is given up on. */
const MOST_PAIRS = 200_000;
/** Ways that are still harmless. */
const MOST_WAYS = 65_536;

/** Of a pattern that `RegExp` accepted. */
export function growth(source: string, flags: string): Growth {
  let power = 0;
  let ways = 1;
  try {
    // (?i: and (?s: make more characters match; to take them for the whole pattern is never too low
    const states = read(source, /\(\?[a-z]/.test(source) ? `${flags}is` : flags);
    // from the end to the start, what comes after each block is known before it
    for (const block of new Set(states.map((state) => state.block))) {
      let most = 1;
      for (const { next } of block.states) {
        const moves = next.filter((target) => target.block !== block);
        for (const target of moves) most = Math.max(most, moves.filter((other) => meet(target, other)).length);
      }
      ways *= most;
      if (block.isLoop) block.chain = isAmbiguous(block) ? Infinity : 1 + longestAfter(block);
      power = Math.max(power, block.chain);
    }
  } catch {
    // too much to read
    power = Infinity;
  }
  return { power: ways > MOST_WAYS ? Infinity : power, ways };
}

/** Can the same character lead to both? */
function meet(a: State, b: State): boolean {
  return a === b || (a.set & b.set) !== 0n;
}

/** Can a loop come back to where it was by two ways on one string? Then n rounds have 2ⁿ ways. */
function isAmbiguous({ states }: Block): boolean {
  const seen = new Map(states.map((state) => [state, new Set([state])]));
  const open = states.map((state): readonly [State, State] => [state, state]);
  let looked = 0;
  for (const [a, b] of open) {
    for (const [wayA, toA] of a.next.entries()) {
      for (const [wayB, toB] of b.next.entries()) {
        const met = seen.get(toA);
        if (++looked > MOST_PAIRS) return true;
        if (met === undefined || !seen.has(toB)) continue;
        if (toA === toB && (a !== b || wayA !== wayB)) return true;
        if (met.has(toB) || !meet(toA, toB)) continue;
        met.add(toB);
        open.push([toA, toB]);
      }
    }
  }
  return false;
}

/**
 * The most loops in a row after this one that can share a run of characters with it: n characters are shared by k loops
 * in about n to the power of k - 1 ways, and each takes n to find out.
 */
function longestAfter({ states }: Block): number {
  const shared = states.reduce((set, state) => set | state.set, 0n);
  const reached = new Set(states);
  let longest = 0;
  for (const { next } of reached) {
    for (const target of next) {
      if ((target.set & shared) === 0n) continue;
      reached.add(target);
      longest = Math.max(longest, target.block.chain);
    }
  }
  return longest;
}
