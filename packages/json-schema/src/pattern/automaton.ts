import { createAlphabet } from "./alphabet.js";

/** A place in a pattern that consumes one character of a set. */
export interface State {
  readonly set: bigint;
  /** Where a matcher may go from here, and in how many ways: `(a*)*` has two ways back to its `a` where `a*` has one. */
  readonly next: Ways;
  block: Block;
}

type Ways = Map<State, number>;

/** A state, or all states of an outermost loop: any of those leads to any other. */
export interface Block {
  readonly states: readonly State[];
  isLoop: boolean;
}

/** The automaton of a pattern. */
export interface Automaton {
  /** In an order that no move leads back in, loops aside. The first is the start, the last the end. */
  readonly states: readonly State[];
  /** Where a match may end, and whether it does so for certain. */
  readonly last: Ways;
  readonly isCertain: boolean;
}

interface Piece {
  readonly first: Ways;
  readonly last: Ways;
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
const NOTHING: Piece = { first: new Map(), last: new Map(), empty: 1 };

/** Reads a source that `RegExp` has accepted; `undefined` when that is too much. */
export function read(source: string, flags: string): Automaton | undefined {
  const setOf = createAlphabet(source, flags);
  const states: State[] = [];
  let at = 0;
  let depth = 0;
  let moves = 0;
  let isCertain = true;
  let isAnchored = true;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    at += found?.[0].length ?? 0;
    return found;
  }

  function join(from: Ways, to: Ways, times = 1): void {
    for (const [state, ways] of from) {
      for (const [target, more] of to) if (++moves < MOST_MOVES) add(state.next, target, ways * more * times);
    }
  }

  function atom(set: bigint): Piece {
    const block: { states: State[]; isLoop: boolean } = { states: [], isLoop: false };
    const state = { set, next: new Map(), block };
    block.states.push(state);
    states.push(state);
    return { first: new Map([[state, 1]]), last: new Map([[state, 1]]), empty: 0 };
  }

  function sequence(a: Piece, b: Piece): Piece {
    join(a.last, b.first);
    return { first: sum(a.first, b.first, a.empty), last: sum(b.last, a.last, b.empty), empty: a.empty * b.empty };
  }

  function loop({ first, last, empty }: Piece, from: number, min: number): Piece {
    // what can match nothing may do so in any of the rounds that are asked for
    join(last, first, empty > 0 && min > 1 ? 2 : 1);
    const block: Block = { states: states.slice(from), isLoop: true };
    for (const state of block.states) state.block = block;
    return { first, last, empty: min === 0 ? 1 : empty ** min };
  }

  function copies(part: (copy: number) => Piece, min: number, max: number): Piece {
    const pieces = Array.from({ length: max }, (_, copy) => part(copy));
    return pieces.reduceRight((tail, piece, copy) => {
      if (copy < min) return sequence(piece, tail);
      // a round beyond those that are asked for does not match nothing
      const { first, last, empty } = sequence({ ...piece, empty: 0 }, tail);
      return { first, last, empty: empty + 1 };
    }, NOTHING);
  }

  function choice(): Piece {
    let whole = list();
    while (source[at] === "|") {
      at++;
      const { first, last, empty } = list();
      whole = { first: sum(whole.first, first, 1), last: sum(whole.last, last, 1), empty: whole.empty + empty };
    }
    return whole;
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
    const max = sign === "?" ? 1 : most ? Number(most) : comma === "" ? min : Number.POSITIVE_INFINITY;
    if (max > (isAtom && min === max ? MOST_ATOMS : MOST_COPIES)) {
      return loop(piece, length, min);
    }
    const part = (copy: number): Piece => {
      if (copy === 0) return piece;
      at = from;
      return single();
    };
    const whole = copies(part, min, max);
    at = end;
    return whole;
  }

  function single(): Piece {
    const group = take(GROUP);
    if (group === null) return simple();
    if (++depth > DEEPEST) moves = MOST_MOVES;
    const { first, last, empty } = moves < MOST_MOVES ? choice() : NOTHING;
    depth--;
    at++;
    if (group[1] === undefined) return { first, last, empty };
    // a lookaround is gone into and left again: nothing comes after it, and what comes after the group comes anyway
    isCertain = false;
    return { first, last: new Map(), empty: 1 };
  }

  function simple(): Piece {
    const text = take(ATOM)?.[0] ?? "";
    if (text === "^") return NOTHING;
    if (text === "$" || /^\\b$/i.test(text)) {
      isCertain = false;
      return NOTHING;
    }
    if (!/^\\[1-9k]/.test(text)) return atom(setOf(text));
    // a back-reference may match anything, at worst
    take(/\d*(?:<[^>]*>)?/y);
    return loop(atom(setOf("[^]")), states.length - 1, 0);
  }

  // one that is not anchored is searched for: it may start later in the string
  const start = atom(setOf("[^]"));
  const piece = choice();
  const end = atom(0n);
  if (!isAnchored) {
    join(start.last, start.first);
    for (const { block } of start.first.keys()) block.isLoop = true;
  }
  join(start.last, piece.first);
  join(start.last, end.first, piece.empty);
  join(piece.last, end.first);
  return moves < MOST_MOVES ? { states, last: sum(piece.last, end.last, 1), isCertain } : undefined;
}

function add(ways: Ways, state: State, more: number): void {
  if (more > 0) ways.set(state, (ways.get(state) ?? 0) + more);
}

function sum(a: Ways, b: Ways, times: number): Ways {
  const both = new Map(a);
  for (const [state, ways] of b) add(both, state, ways * times);
  return both;
}
