import { createAlphabet } from "./alphabet.js";

/** A place in a pattern that consumes one character of a set. */
export interface State {
  readonly set: bigint;
  /** Where a matcher may go from here, once for each way: `(a*)*` has two back to its `a` where `a*` has one. */
  readonly next: State[];
  block: Block;
}

/** A state, or all states of an outermost loop: any of those leads to any other. */
export interface Block {
  readonly states: State[];
  isLoop: boolean;
  /** The most ways to match one string from here that do not come from loops. */
  ways: number;
  /** The most loops in a row from here that can share a run of characters. */
  chain: number;
}

/** What leads into a part of a pattern and out of it, once for each way. */
interface Piece {
  readonly first: readonly State[];
  readonly last: readonly State[];
  /** In how many ways it matches nothing. */
  readonly empty: number;
}

/** With more moves, or groups within each other, a pattern is not worth the time to prove it harmless. */
const MOST_MOVES = 20_000;
const DEEPEST = 50;
/** Counts up to which repeats are written out; beyond, they are taken for unbounded. Copies of one atom have no choice. */
const MOST_COPIES = 4;
const MOST_ATOMS = 64;

const ATOM = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u\{[^}]+\}|u....|x..|c.|[pP]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|./suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
const GROUP = /\((?:\?(?:(<?[=!])|<[^>]*>|[a-z-]*:))?/y;
const NOTHING: Piece = { first: [], last: [], empty: 1 };

/**
 * Reads a source that `RegExp` has accepted, into states in an order that no move leads back in, loops aside; `undefined`
 * when that is too much.
 */
export function read(source: string, flags: string): readonly State[] | undefined {
  const setOf = createAlphabet(source, flags);
  const states: State[] = [];
  let at = 0;
  let depth = 0;
  let moves = 0;
  let isAnchored = true;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    at += found?.[0].length ?? 0;
    return found;
  }

  function sum(a: readonly State[], b: readonly State[], times: number): readonly State[] {
    // also where there is nothing to add, in too many ways
    moves += (b.length + 1) * times;
    return moves < MOST_MOVES ? [a, ...Array.from({ length: times }, () => b)].flat() : a;
  }

  function join(from: readonly State[], to: readonly State[]): void {
    moves += from.length * to.length;
    if (moves < MOST_MOVES) for (const { next } of from) next.push(...to);
  }

  function atom(set: bigint): Piece {
    const block: Block = { states: [], isLoop: false, ways: 1, chain: 0 };
    const state: State = { set, next: [], block };
    block.states.push(state);
    states.push(state);
    return { first: [state], last: [state], empty: 0 };
  }

  function sequence(a: Piece, b: Piece): Piece {
    join(a.last, b.first);
    return { first: sum(a.first, b.first, a.empty), last: sum(b.last, a.last, b.empty), empty: a.empty * b.empty };
  }

  function loop({ first, last, empty }: Piece, from: number, min: number): Piece {
    join(last, first);
    // what can match nothing may do so in any of the rounds that are asked for
    if (empty > 0 && min > 1) join(last, first);
    const block: Block = { states: states.slice(from), isLoop: true, ways: 1, chain: 0 };
    for (const state of block.states) state.block = block;
    return { first, last, empty: min === 0 ? 1 : empty ** min };
  }

  function choice(): Piece {
    let { first, last, empty } = list();
    while (source[at] === "|") {
      at++;
      const other = list();
      first = sum(first, other.first, 1);
      last = sum(last, other.last, 1);
      empty += other.empty;
    }
    return { first, last, empty };
  }

  function list(): Piece {
    let whole = NOTHING;
    if (depth === 0 && source[at] !== "^") isAnchored = false;
    while (at < source.length && !/[|)]/.test(source.charAt(at))) whole = sequence(whole, repeated());
    return whole;
  }

  function repeated(): Piece {
    const from = at;
    const { length } = states;
    const piece = single();
    const isAtom = states.length === length + 1;
    const found = take(QUANTIFIER);
    if (found === null) return piece;
    const end = at;
    const [, sign, least, comma, most] = found;
    const min = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
    // what ends a pattern need not be repeated to tell that it matches
    const isEnough = comma === "" || (isAtom && /^\)*$/.test(source.slice(at)));
    const max = isEnough ? min : sign === "?" ? 1 : Number(most || Infinity);
    if (max > (isAtom && min === max ? MOST_ATOMS : MOST_COPIES)) return loop(piece, length, min);
    const pieces = Array.from({ length: max }, (_, copy) => {
      if (copy === 0) return piece;
      at = from;
      return single();
    });
    at = end;
    return pieces.reduceRight((tail, each, copy) => {
      if (copy < min) return sequence(each, tail);
      // a round beyond those that are asked for does not match nothing
      const { first, last, empty } = sequence({ ...each, empty: 0 }, tail);
      return { first, last, empty: empty + 1 };
    }, NOTHING);
  }

  function single(): Piece {
    const group = take(GROUP);
    if (group === null) return simple();
    if (++depth > DEEPEST) moves = MOST_MOVES;
    const { first, last, empty } = moves < MOST_MOVES ? choice() : NOTHING;
    depth--;
    at++;
    // a lookaround is gone into and left again: nothing comes after it, and what comes after the group comes anyway
    return group[1] === undefined ? { first, last, empty } : { first, last: [], empty: 1 };
  }

  function simple(): Piece {
    const text = take(ATOM)?.[0] ?? "";
    if (/^(\^|\$|\\b)$/i.test(text)) return NOTHING;
    if (!/^\\[1-9k]/.test(text)) return atom(setOf(text));
    // a back-reference may match anything, at worst
    take(/\d*(?:<[^>]*>)?/y);
    return loop(atom(setOf("[^]")), states.length - 1, 0);
  }

  const start = atom(setOf("[^]"));
  sequence(start, sequence(choice(), atom(0n)));
  // one that is not anchored is searched for: it may start later in the string
  if (!isAnchored) {
    join(start.last, start.first);
    for (const { block } of start.first) block.isLoop = true;
  }
  return moves < MOST_MOVES ? states : undefined;
}
