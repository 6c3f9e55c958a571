/** A regular expression, as far as it matters for how its matching time grows. */
export type Part =
  | { readonly type: "atom"; readonly source: string }
  | { readonly type: "list"; readonly parts: readonly Part[] }
  | { readonly type: "choice"; readonly options: readonly Part[] }
  | { readonly type: "repeat"; readonly part: Part; readonly min: number; readonly max: number }
  | { readonly type: "start" }
  | { readonly type: "assertion" }
  | { readonly type: "look"; readonly part: Part };

const EMPTY: Part = { type: "list", parts: [] };
/** What a back-reference may match, at worst. */
const ANYTHING: Part = { type: "repeat", part: { type: "atom", source: "[^]" }, min: 0, max: Number.POSITIVE_INFINITY };

const SURROGATES = /^\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/;
const ESCAPE = /^\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|0\d{0,2}|.)/su;
const CLASS = /^\[(?:\\.|[^\]\\])*\]/su;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/;
const GROUP = /^\((?:\?(?:(<?[=!])|<[^>]*>|[a-z-]*:))?/;
const BACK_REFERENCE = /^\\(?:[1-9]\d*|k<[^>]*>)/;

/** Groups nest no deeper than this in a pattern that is looked into. */
const DEEPEST = 50;

/** Reads a source that `RegExp` has accepted; `undefined` when its groups nest too deep. */
export function parse(source: string, isUnicode: boolean): Part | undefined {
  let at = 0;
  let depth = 0;
  let deepest = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = pattern.exec(source.slice(at)) ?? undefined;
    if (found !== undefined) at += found[0].length;
    return found;
  };

  function choice(): Part {
    const options = [list()];
    while (source[at] === "|") {
      at++;
      options.push(list());
    }
    return options.length === 1 ? (options[0] ?? EMPTY) : { type: "choice", options };
  }

  function list(): Part {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(quantified(single()));
    return { type: "list", parts };
  }

  function quantified(part: Part): Part {
    const found = take(QUANTIFIER);
    if (found === undefined) return part;
    const [text, least, comma, most] = found;
    if (least === undefined) {
      return {
        type: "repeat",
        part,
        min: text[0] === "+" ? 1 : 0,
        max: text[0] === "?" ? 1 : Number.POSITIVE_INFINITY,
      };
    }
    const max =
      most !== "" && most !== undefined ? Number(most) : comma === "" ? Number(least) : Number.POSITIVE_INFINITY;
    return { type: "repeat", part, min: Number(least), max };
  }

  function single(): Part {
    const group = take(GROUP);
    if (group !== undefined) {
      deepest = Math.max(deepest, ++depth);
      const part = deepest > DEEPEST ? EMPTY : choice();
      depth--;
      at++;
      return group[1] === undefined ? part : { type: "look", part };
    }
    const next = source[at];
    if (next === "^" || next === "$") {
      at++;
      return { type: next === "^" ? "start" : "assertion" };
    }
    if (next === "[") return { type: "atom", source: take(CLASS)?.[0] ?? "" };
    if (next !== "\\") {
      const character = isUnicode ? String.fromCodePoint(source.codePointAt(at) ?? 0) : source.charAt(at);
      at += character.length;
      return { type: "atom", source: character };
    }
    if (take(/^\\[bB]/) !== undefined) return { type: "assertion" };
    if (take(BACK_REFERENCE) !== undefined) return ANYTHING;
    const pair = isUnicode ? take(SURROGATES) : undefined;
    return { type: "atom", source: (pair ?? take(ESCAPE))?.[0] ?? "" };
  }

  const whole = choice();
  return deepest > DEEPEST ? undefined : whole;
}
