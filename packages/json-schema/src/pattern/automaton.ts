import type { Part } from "./parse.js";

/** How many ways lead to each position. */
export type Ways = Map<number, number>;

export interface Automaton {
  /** The characters that each position consumes, as a set of samples. The first position is the start, the last the end. */
  readonly sets: readonly bigint[];
  /** From each position, the next ones. */
  readonly next: readonly Ways[];
  /** Positions where a match may end. */
  readonly last: ReadonlySet<number>;
  /** Reaching an end is not enough: there are assertions. */
  readonly asserts: boolean;
  /** Lookarounds, and whether each is entered once only. */
  readonly looks: readonly { readonly part: Part; readonly once: boolean }[];
}

interface Piece {
  readonly first: Ways;
  readonly last: Ways;
  /** Ways to match nothing. */
  readonly empty: number;
}

/** A pattern with more moves between its positions is not worth the time to prove it harmless. */
const MOST_MOVES = 20_000;
/** Counted repeats are written out up to this count, one character's up to the other; beyond, they are taken for unbounded. */
const MOST_COPIES = 4;
const MOST_EXACT_COPIES = 64;

/**
 * The position automaton of a pattern: one position an atom, one move for each way a backtracking matcher may go from
 * one to another, so that `(a*)*` has two where `a*` has one. `undefined` when it has too many.
 */
export function build(pattern: Part, setOf: (atom: string) => bigint, searches: boolean): Automaton | undefined {
  const sets: bigint[] = [setOf("[^]")];
  const next: Ways[] = [new Map()];
  const looks: { readonly part: Part; readonly once: boolean }[] = [];
  let asserts = false;
  let loops = searches ? 1 : 0;
  let moves = 0;

  function join(from: Ways, to: Ways, times = 1): void {
    for (const [source, ways] of from) {
      for (const [target, others] of to) {
        if (++moves > MOST_MOVES) return;
        add(next[source], target, ways * others * times);
      }
    }
  }

  function piece(part: Part): Piece {
    switch (part.type) {
      case "atom": {
        const position = sets.push(setOf(part.source)) - 1;
        next.push(new Map());
        return { first: new Map([[position, 1]]), last: new Map([[position, 1]]), empty: 0 };
      }
      case "list":
        return part.parts.reduce<Piece>((before, each) => sequence(before, piece(each)), NOTHING);
      case "choice": {
        const pieces = part.options.map(piece);
        return {
          first: merge(pieces, "first"),
          last: merge(pieces, "last"),
          empty: pieces.reduce((sum, { empty }) => sum + empty, 0),
        };
      }
      case "repeat":
        return repeat(part.part, part.min, part.max);
      case "look":
        looks.push({ part: part.part, once: loops === 0 });
        asserts = true;
        return NOTHING;
      case "assertion":
        asserts = true;
        return NOTHING;
      case "start":
        return NOTHING;
      default:
        return part satisfies never;
    }
  }

  function sequence(a: Piece, b: Piece): Piece {
    join(a.last, b.first);
    return { first: plus(a.first, b.first, a.empty), last: plus(b.last, a.last, b.empty), empty: a.empty * b.empty };
  }

  function repeat(part: Part, min: number, max: number): Piece {
    if (max === 0 || moves > MOST_MOVES) return NOTHING;
    if (max === 1) return min === 1 ? piece(part) : optional(piece(part));
    if (max > (min === max && part.type === "atom" ? MOST_EXACT_COPIES : MOST_COPIES)) {
      loops++;
      const { first, last, empty } = piece(part);
      // a part that can match nothing may do so in any of the rounds that are asked for
      join(last, first, empty > 0 && min > 1 ? 2 : 1);
      return { first, last, empty: min === 0 ? 1 : empty ** min };
    }
    let tail = NOTHING;
    for (let copy = max; copy > min; copy--) tail = optional(sequence(notEmpty(piece(part)), tail));
    let whole = NOTHING;
    for (let copy = 0; copy < min; copy++) whole = sequence(whole, piece(part));
    return sequence(whole, tail);
  }

  const whole = piece(pattern);
  const start = new Map([[0, 1]]);
  if (searches) join(start, start);
  join(start, whole.first);
  const end = sets.push(0n) - 1;
  next.push(new Map());
  join(whole.last, new Map([[end, 1]]));
  join(start, new Map([[end, whole.empty]]));
  if (moves > MOST_MOVES) return undefined;
  return { sets, next, last: new Set([...whole.last.keys(), end]), asserts, looks };
}

const NOTHING: Piece = { first: new Map(), last: new Map(), empty: 1 };

function optional(piece: Piece): Piece {
  return { ...piece, empty: piece.empty + 1 };
}

/** A matcher does not take a round beyond the least that matches nothing. */
function notEmpty(piece: Piece): Piece {
  return { ...piece, empty: 0 };
}

function add(ways: Ways | undefined, position: number, more: number): void {
  if (more > 0) ways?.set(position, (ways.get(position) ?? 0) + more);
}

function plus(a: Ways, b: Ways, times: number): Ways {
  const sum = new Map(a);
  for (const [position, ways] of b) add(sum, position, ways * times);
  return sum;
}

function merge(pieces: readonly Piece[], side: "first" | "last"): Ways {
  return pieces.reduce<Ways>((sum, piece) => plus(sum, piece[side], 1), new Map());
}

/** Must every match begin at the start of the string? */
export function isAnchored(part: Part): boolean {
  if (part.type === "start") return true;
  if (part.type === "choice") return part.options.every(isAnchored);
  if (part.type === "repeat") return part.min > 0 && isAnchored(part.part);
  if (part.type !== "list") return false;
  const first = part.parts.find(({ type }) => type !== "look" && type !== "assertion");
  return first !== undefined && isAnchored(first);
}
