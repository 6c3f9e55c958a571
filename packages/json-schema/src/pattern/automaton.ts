import { type Budget, deepen, spend } from "../limits.js";
import { setOf } from "./alphabet.js";

/** A place in a pattern that consumes one character of a set. */
export interface State {
  readonly set: bigint;
  /** Where a matcher may go from here, once for each way: `(a*)*` has two back to its `a` where `a*` has one. */
  readonly next: State[];
  /** All states of the outermost loop that it is in, or itself. */
  block: readonly State[];
}

type States = readonly State[];

/** A part of a pattern: the states that it can begin and end with, and in how many ways it can match nothing. */
type Part = readonly [first: States, last: States, empty: number];

const NOTHING: Part = [[], [], 1];

/** Exact counts up to which repeats are written out; all others are taken for unbounded. */
const MOST_COPIES = 4;
/** For reading one atom. */
const STEPS = 16;

/** The start of a group, perhaps of a lookaround; or what matches one character, or none. */
const TOKEN =
  /\((?:\?(?:(<?[=!])|<[^>]*>|[a-z-]*:))?|\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c.|k<[^>]*>|[1-9]\d*|.)|\[(?:\\.|[^\]\\])*\]|./suy;
const QUANTIFIER = /([*+?]|\{(\d+)(,?)\d*\})\??/y;
const ANY = "[^]";
const END = "";

/**
 * Reads a source that `RegExp` has accepted, into states in their order in it: loops aside, moves lead to later ones.
 * @throws {LimitError} when that is too much
 */
export const read = (source: string, flags: string, budget: Budget): State[] => {
  const states: State[] = [];
  const sets = new Map<string, bigint>();
  let at = 0;
  let isAnchored = true;
  /** The starts of the lookarounds that it is in. */
  let around = "";

  const take = (pattern: RegExp): readonly (string | undefined)[] => {
    pattern.lastIndex = at;
    const found = pattern.exec(source) ?? [];
    at += found[0]?.length ?? 0;
    return found;
  };

  const atom = (text: string): Part => {
    // what is behind a place is matched once more, whatever it was
    const key = around.includes("<") ? ANY : text;
    const set = sets.get(key) ?? setOf(key, flags);
    sets.set(key, set);
    const state: State = { set, next: [], block: [] };
    state.block = [state];
    states.push(state);
    return [state.block, state.block, 0];
  };

  const times = (states: States, ways: number): States => {
    spend(budget, (states.length + 1) * ways);
    return Array<States>(ways).fill(states).flat();
  };

  const sequence = ([first, last, empty]: Part, [nextFirst, nextLast, nextEmpty]: Part): Part => {
    for (const { next } of last) next.push(...times(nextFirst, 1));
    return [[...first, ...times(nextFirst, empty)], [...times(last, nextEmpty), ...nextLast], empty * nextEmpty];
  };

  const loop = (part: Part, min: number, from: number): Part => {
    const [first, last, empty] = part;
    const block = states.slice(from);
    spend(budget, block.length);
    for (const state of block) state.block = block;
    sequence(part, part);
    // those rounds that there must be may match nothing, each at any of its turns
    if (min > 1 && empty > 0) sequence(part, part);
    return [first, last, empty ** min];
  };

  const choice = (isWhole: boolean): Part => {
    const first: State[] = [];
    const last: State[] = [];
    let empty = 0;
    do {
      let option = NOTHING;
      if (isWhole && source[at] !== "^") isAnchored = false;
      while (/[^|)]/s.test(source.charAt(at))) option = sequence(option, repeated());
      first.push(...option[0]);
      last.push(...option[1]);
      empty += option[2];
    } while (source[at++] === "|");
    return [first, last, empty];
  };

  const repeated = (): Part => {
    const start = at;
    const from = states.length;
    const part = single();
    const [found, sign, least, comma] = take(QUANTIFIER);
    const end = at;
    if (found === undefined) return part;
    if (sign === "?") return [part[0], part[1], part[2] + 1];
    const min = Number(least ?? sign === "+");
    // what ends a pattern need not be repeated to tell that it matches
    const isExact = comma === "" || (!around && states.length === from + 1 && /^\)*$/.test(source.slice(at)));
    if (!isExact || min > MOST_COPIES) return loop(part, min, from);
    let all = min > 0 ? part : NOTHING;
    for (let copy = 1; copy < min; copy++) {
      at = start;
      all = sequence(all, single());
    }
    at = end;
    return all;
  };

  const single = (): Part => {
    const from = states.length;
    spend(budget, STEPS);
    const [token = "", look = ""] = take(TOKEN);
    if (token.startsWith("(")) {
      around = look + around;
      deepen(budget, 1);
      const part = choice(false);
      budget.depth -= 1;
      around = around.slice(look.length);
      // a lookaround is gone into and left again: nothing comes after it
      return look === "" ? part : [part[0], [], 1];
    }
    if (/^(\^|\$|\\b)$/i.test(token)) return NOTHING;
    // a back-reference may match anything, at worst; so may `\c`, which without a letter is two characters
    if (/^\\[1-9ck]/.test(token)) return loop(atom(ANY), 0, from);
    // without the `u` flag, braces are a count, or text
    return atom(/[uv]/.test(flags) && /\\[up]$/i.test(token) ? token + take(/\{.*?\}/y)[0] : token);
  };

  const start = atom(ANY);
  const whole = choice(true);
  // one that is not anchored is searched for: it may start later in the string
  if (!isAnchored) sequence(start, start);
  sequence(sequence(start, whole), atom(END));
  return states;
};
