import { setOf } from "./alphabet.js";

/** A place in a pattern that consumes one character of a set. */
export interface State {
  readonly set: bigint;
  /** Where a matcher may go from here, once for each way: `(a*)*` has two back to its `a` where `a*` has one. */
  readonly next: State[];
  readonly block: Block;
}

/** A state, or all states of an outermost loop: any of those leads to any other. */
export interface Block {
  readonly states: State[];
  readonly isLoop: boolean;
  /** The most loops in a row from here that can share a run of characters. */
  chain: number;
}

/** Lists of ways may be shared, and lead back to themselves where a round of a loop can match nothing. */
type Ways = (State | Ways)[];

/** A part of a pattern: given the ways on after it, gives the ways into it. */
type Part = (after: Ways) => Ways;

/** With more moves a pattern is not worth the time to prove it harmless. */
const MOST_MOVES = 20_000;
/** Counts up to which repeats are written out; beyond, they are taken for unbounded. Copies of one atom have no choice. */
const MOST_COPIES = 4;
const MOST_ATOMS = 64;

const ATOM = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|[upP]\{[^}]*\}|u....|x..|c.|.)|\[(?:\\.|[^\]\\])*\]|./suy;
const QUANTIFIER = /([*+?]|\{(\d+)(,?)(\d*)\})\??/y;
const GROUP = /\((?:\?(?:(<?[=!])|<[^>]*>|[a-z-]*:))?/y;
const ANY = "[^]";
const NONE = "[]";

/**
 * Reads a source that `RegExp` has accepted, into states from its end to its start, so that no move leads to a later
 * one, loops aside.
 * @throws {RangeError} when that is too much
 */
export function read(source: string, flags: string): readonly State[] {
  const made = new Map<State, Ways>();
  const sets = new Map<string, bigint>();
  /** Where rounds of loops begin again, and whether those are asked for that must not match nothing. */
  const rounds = new Map<Ways, boolean>();
  let around: Block | undefined;
  let at = 0;
  let atoms = 0;
  let moves = 0;
  let isAnchored = true;

  function count(more: number): void {
    moves += more;
    if (moves > MOST_MOVES) throw new RangeError();
  }

  /** All ways in one list. A round of a loop that matches nothing leads nowhere. */
  function flat(ways: Ways, into: State[], open: Set<Ways>): void {
    const isEmpty = open.has(ways);
    count(isEmpty && rounds.get(ways) ? Infinity : ways.length + 1);
    if (isEmpty) return;
    if (rounds.has(ways)) open.add(ways);
    for (const way of ways) {
      if (Array.isArray(way)) flat(way, into, open);
      else into.push(way);
    }
    open.delete(ways);
  }

  function block(isLoop: boolean): Block {
    return { states: [], isLoop, chain: 0 };
  }

  function atom(text: string): Part {
    const set = sets.get(text) ?? setOf(text, flags);
    sets.set(text, set);
    return (after) => {
      const state: State = { set, next: [], block: around ?? block(false) };
      state.block.states.push(state);
      made.set(state, after);
      return [state];
    };
  }

  function loop(part: Part, min: number): Part {
    return (after) => {
      const outside = around;
      const again: Ways = [];
      around ??= block(true);
      const entry = part(again);
      around = outside;
      again.push(entry, after);
      rounds.set(again, min > 1);
      return min > 0 ? entry : [entry, after];
    };
  }

  function take(pattern: RegExp): readonly (string | undefined)[] {
    pattern.lastIndex = at;
    const found = pattern.exec(source) ?? [];
    at += found[0]?.length ?? 0;
    return found;
  }

  function choice(isWhole: boolean): Part {
    const options: Part[] = [];
    do {
      const parts: Part[] = [];
      if (isWhole && source[at] !== "^") isAnchored = false;
      while (at < source.length && !/[|)]/.test(source.charAt(at))) parts.push(repeated());
      options.push((after) => {
        count(parts.length + 1);
        return parts.reduceRight((rest, part) => part(rest), after);
      });
    } while (source[at++] === "|");
    return (after) => options.map((option) => option(after));
  }

  function repeated(): Part {
    const before = atoms;
    const part = single();
    const isAtom = atoms === before + 1;
    const [found, sign, least, comma, most] = take(QUANTIFIER);
    if (found === undefined) return part;
    const min = Number(least ?? (sign === "+" ? 1 : 0));
    // what ends a pattern need not be repeated to tell that it matches
    const isEnough = comma === "" || (isAtom && /^\)*$/.test(source.slice(at)));
    const max = isEnough ? min : sign === "?" ? 1 : Number(most || Infinity);
    if (max > (isAtom && min === max ? MOST_ATOMS : MOST_COPIES)) return loop(part, min);
    return (after) => {
      let rest = after;
      for (let copy = max; copy > 0; copy--) {
        rest = copy > min ? [part(rest), after] : part(rest);
      }
      return rest;
    };
  }

  function single(): Part {
    const [group, look] = take(GROUP);
    if (group !== undefined) {
      const part = choice(false);
      // a lookaround is gone into and left again: nothing comes after it, and what comes after the group comes anyway
      return look === undefined ? part : (after) => [part([]), after];
    }
    const [text = ""] = take(ATOM);
    if (/^(\^|\$|\\b)$/i.test(text)) return (after) => after;
    atoms++;
    if (!/^\\[1-9k]/.test(text)) return atom(text);
    // a back-reference may match anything, at worst
    take(/\d*(?:<[^>]*>)?/y);
    return loop(atom(ANY), 0);
  }

  const whole = choice(true);
  const start = atom(ANY);
  // one that is not anchored is searched for: it may start later in the string
  (isAnchored ? start : loop(start, 1))(whole(atom(NONE)([])));
  for (const [{ next }, after] of made) flat(after, next, new Set());
  return [...made.keys()];
}
