import { type Budget, spend } from "../limits.js";
import { read, type State } from "./automaton.js";

/**
 * How the time of a backtracking matcher grows: with which power of the length of the string, `Infinity` for
 * exponentially; and how many ways to match one string, at most, do not come from loops. Never too low; at times too high.
 */
export type Growth = readonly [power: number, ways: number];

/** Ways that are still harmless. */
const MOST_WAYS = 65_536;

/**
 * Of a pattern that `RegExp` accepted.
 * @throws {LimitError} when that is too much work to tell
 */
export const growth = (source: string, flags: string, budget: Budget): Growth => {
  // (?i: and (?s: make more characters match; to take them for the whole pattern is never too low
  const states = read(source, /\(\?[a-z]/.test(source) ? `${flags}is` : flags, budget);
  /** The most loops in a row, from each on, that can share a run of characters. */
  const chains = new Map<readonly State[], number>();
  let ways = 1;
  // from the end to the start, what comes after a block is known before it
  for (const block of new Set(states.reverse().map((state) => state.block))) {
    let most = 1;
    let isLoop = false;
    for (const { next } of block) {
      const moves = next.filter((to) => to.block !== block);
      spend(budget, moves.length ** 2);
      for (const { set } of moves) most = Math.max(most, moves.filter((other) => (other.set & set) !== 0n).length);
      if (moves.length < next.length) isLoop = true;
    }
    ways *= most;
    if (isLoop) chains.set(block, isAmbiguous(block, budget) ? Infinity : 1 + longestAfter(block, chains, budget));
  }
  return [ways > MOST_WAYS ? Infinity : Math.max(0, ...chains.values()), ways];
};

/** Can a loop come back to where it was by two ways on one string? Then n rounds have 2ⁿ ways. */
const isAmbiguous = (block: readonly State[], budget: Budget): boolean => {
  const seen = new Map(block.map((state) => [state, new Set([state])]));
  const open = block.map((state): readonly [State, State] => [state, state]);
  for (const [one, other] of open) {
    for (const [way, to] of one.next.entries()) {
      const met = seen.get(to);
      for (const [otherWay, otherTo] of other.next.entries()) {
        spend(budget, 1);
        if (met === undefined || !seen.has(otherTo)) continue;
        if (to === otherTo && (one !== other || way !== otherWay)) return true;
        if (met.has(otherTo) || (to.set & otherTo.set) === 0n) continue;
        met.add(otherTo);
        open.push([to, otherTo]);
      }
    }
  }
  return false;
};

/**
 * The most loops in a row after this one that can share a run of characters with it: n characters are shared by k loops
 * in about n to the power of k - 1 ways, and each takes n to find out.
 */
const longestAfter = (
  block: readonly State[],
  chains: ReadonlyMap<readonly State[], number>,
  budget: Budget,
): number => {
  const shared = block.reduce((set, state) => set | state.set, 0n);
  const reached = new Set(block);
  let longest = 0;
  for (const { next } of reached) {
    spend(budget, next.length);
    for (const to of next) {
      if ((to.set & shared) === 0n) continue;
      reached.add(to);
      longest = Math.max(longest, chains.get(to.block) ?? 0);
    }
  }
  return longest;
};
