import type { Part } from "./template.js";

/** What the variables of a template stood for: text, or a list for those that are exploded. */
export type Matched = Readonly<Record<string, string | readonly string[]>>;

/** A longer URI is no match: the work is in proportion to its length. */
const longestUri = 65_536;

/** One part of a template, as seen from a place in the URI. */
interface Step {
  /** At which places the rest of the URI fits this part and those after it. */
  readonly fits: Uint8Array;
  /** Reads the part at a place that fits. @returns where it ends, `undefined` when a value is none after all */
  take(at: number, into: Map<string, string | string[]>): number | undefined;
}

/**
 * Reads from a URI what the variables of a template stand for; `undefined` when it does not fit.
 * It looks at each place once for each part, from the end to the start, and then reads forward, longest value first,
 * along what fits: nothing is tried twice. Values are percent-decoded once.
 * @see RFC 6570, section 3
 */
export function matchTemplate(parts: readonly Part[], uri: string): Matched | undefined {
  const [first] = parts;
  if (uri.length > longestUri || (first?.type === "literal" && !uri.startsWith(first.text))) return undefined;
  let next = new Uint8Array(uri.length + 1);
  next[uri.length] = 1;
  const steps: Step[] = [];
  for (const part of parts.toReversed()) {
    const step = stepFor(part, uri, next);
    steps.push(step);
    next = step.fits as typeof next;
  }
  if (next[0] !== 1) return undefined;
  const found = new Map<string, string | string[]>();
  let at: number | undefined = 0;
  for (const step of steps.toReversed()) {
    at = step.take(at, found);
    if (at === undefined) return undefined;
  }
  return Object.fromEntries(found);
}

function stepFor(part: Part, uri: string, after: Uint8Array): Step {
  switch (part.type) {
    case "literal":
      return literalStep(part.text, uri, after);
    case "value":
      return valueStep(part, uri, after);
    case "pairs":
      return pairsStep(part, uri, after);
    default:
      return part satisfies never;
  }
}

function literalStep(text: string, uri: string, after: Uint8Array): Step {
  const fits = new Uint8Array(uri.length + 1);
  for (let at = uri.indexOf(text); at !== -1; at = uri.indexOf(text, at + 1)) fits[at] = after[at + text.length] ?? 0;
  return { fits, take: (at) => at + text.length };
}

type ValuePart = Extract<Part, { readonly type: "value" }>;

function valueStep(
  { name, first, between, optional, forbidden, longest }: ValuePart,
  uri: string,
  after: Uint8Array,
): Step {
  const goesOn = (at: number): boolean =>
    at < uri.length && (!forbidden.includes(uri.charAt(at)) || (between !== undefined && uri.charAt(at) === between));
  const inside = runs(uri, after, goesOn);
  const fits = new Uint8Array(uri.length + 1);
  const starts = (at: number): boolean =>
    first === "" ? goesOn(at) && inside[at + 1] === 1 : uri.charAt(at) === first && inside[at + 1] === 1;
  for (let at = 0; at <= uri.length; at += 1) fits[at] = starts(at) || (optional && after[at] === 1) ? 1 : 0;
  return {
    fits,
    take(at, into) {
      if (!starts(at)) return at;
      const start = at + first.length;
      const end = longestRun(start, after, goesOn);
      const text = uri.slice(start, end);
      const values = (between === undefined ? [text] : text.split(between)).map((value) => decode(value, longest));
      if (!values.every(isText)) return undefined;
      into.set(name, between === undefined ? (values[0] ?? "") : values);
      return end;
    },
  };
}

type PairsPart = Extract<Part, { readonly type: "pairs" }>;

function pairsStep({ first, between, forbidden, variables }: PairsPart, uri: string, after: Uint8Array): Step {
  const byLength = [...variables].sort((a, b) => b.name.length - a.name.length);
  const goesOn = (at: number): boolean => at < uri.length && !forbidden.includes(uri.charAt(at));
  const size = uri.length + 2;
  const ends = new Uint8Array(size);
  const inside = new Uint8Array(size);
  const names = new Uint8Array(size);
  const fits = new Uint8Array(uri.length + 1);
  const afterName = (at: number): boolean => (uri.charAt(at) === "=" ? inside[at + 1] : ends[at]) === 1;
  const variableAt = (at: number) =>
    byLength.find(({ name }) => uri.startsWith(name, at) && afterName(at + name.length));
  for (let at = uri.length; at >= 0; at -= 1) {
    ends[at] = after[at] === 1 || (uri.charAt(at) === between && names[at + 1] === 1) ? 1 : 0;
    inside[at] = ends[at] === 1 || (goesOn(at) && inside[at + 1] === 1) ? 1 : 0;
    names[at] = variableAt(at) === undefined ? 0 : 1;
    fits[at] = after[at] === 1 || (uri.charAt(at) === first && names[at + 1] === 1) ? 1 : 0;
  }

  function takePair(at: number, into: Map<string, string | string[]>): number | undefined {
    const variable = variableAt(at);
    if (variable === undefined) return undefined;
    const { name, many, longest } = variable;
    const start = at + name.length;
    const end = uri.charAt(start) === "=" ? longestRun(start + 1, ends, goesOn) : start;
    const value = decode(uri.slice(start + 1, end), longest);
    const known = into.get(name);
    if (value === undefined || (known !== undefined && !many)) return undefined;
    into.set(name, many ? [...(known ?? []), value] : value);
    return end;
  }

  return {
    fits,
    take(at, into) {
      if (uri.charAt(at) !== first || names[at + 1] !== 1) return at;
      let end = takePair(at + 1, into);
      while (end !== undefined && uri.charAt(end) === between && names[end + 1] === 1) end = takePair(end + 1, into);
      return end;
    },
  };
}

/** At which places a run of zero or more characters leads to where the rest fits. */
function runs(uri: string, after: Uint8Array, goesOn: (at: number) => boolean): Uint8Array {
  const fits = new Uint8Array(uri.length + 2);
  for (let at = uri.length; at >= 0; at -= 1) fits[at] = after[at] === 1 || (goesOn(at) && fits[at + 1] === 1) ? 1 : 0;
  return fits;
}

/** Where the longest run ends from which the rest fits. */
function longestRun(start: number, after: Uint8Array, goesOn: (at: number) => boolean): number {
  let end = start;
  for (let at = start; ; at += 1) {
    if (after[at] === 1) end = at;
    if (!goesOn(at)) return end;
  }
}

function decode(text: string, longest: number): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return longest === Number.POSITIVE_INFINITY || [...value].length <= longest ? value : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
