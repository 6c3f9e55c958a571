import { LimitError, SchemaError } from "../errors.js";
import { type AllLimits, type Run, spend } from "../limits.js";
import { show } from "../wording.js";
import { growth } from "./growth.js";

/**
 * Compiles the source of a pattern; throws when it cannot. `test` tells whether it matches anywhere in a string.
 * @stable
 */
export type PatternEngine = (source: string) => { test(text: string): boolean };

export interface Pattern {
  test(text: string, run: Run): boolean;
}

/**
 * Compiles patterns, each once.
 * @throws {SchemaError} `INVALID_SCHEMA`, `UNSAFE_PATTERN`
 * @throws {LimitError} `TOO_MUCH_PATTERN`
 */
export type Patterns = (source: string, location: string) => Pattern;

/** Moves of a matcher in one step, and those of one way through a pattern. */
const MOVES_PER_STEP = 256;
const MOVES_PER_WAY = 16;

export function createPatterns(limits: AllLimits, engine: PatternEngine | undefined): Patterns {
  const made = new Map<string, Pattern>();
  let work = 0;
  return (source, location) => {
    const known = made.get(source);
    if (known !== undefined) return known;
    // the analysis takes time of the square of a pattern's length
    if (engine === undefined && source.length <= limits.patternLength) work += source.length ** 2;
    if (work > limits.patternWork) throw new LimitError("TOO_MUCH_PATTERN", "patternWork", limits, ` at ${location}`);
    const pattern = compile(source, location, limits, engine);
    made.set(source, pattern);
    return pattern;
  };
}

function compile(source: string, location: string, limits: AllLimits, engine: PatternEngine | undefined): Pattern {
  const words = `pattern ${show(source)}`;
  let matcher: ReturnType<PatternEngine>;
  try {
    matcher = (engine ?? native)(source);
  } catch (cause) {
    throw new SchemaError("INVALID_SCHEMA", location, `${words} is not a regular expression: ${cause}`, { cause });
  }
  const isLong = engine === undefined && source.length > limits.patternLength;
  const flags = matcher instanceof RegExp ? matcher.flags : "u";
  const { power, ways } = engine !== undefined || isLong ? { power: 1, ways: 0 } : growth(source, flags);
  if (isLong || power === Infinity) {
    const reason = isLong
      ? `it is longer than ${limits.patternLength} characters (limits.patternLength)`
      : "it can take exponential time; let what repeats match a text in one way only, or pass options.patternEngine";
    throw new SchemaError("UNSAFE_PATTERN", location, `${words} is refused: ${reason}`);
  }
  // one whose time grows with a higher power of the length is run only on strings where that is bearable
  const cap = power > 1 ? Math.floor(limits.patternInput ** (2 / power)) : Infinity;
  const cost = 1 + (ways * MOVES_PER_WAY) / MOVES_PER_STEP;
  return {
    test(text, run) {
      const { length } = text;
      if (length > cap) {
        const detail = `: ${words} takes time of the power ${power} of the length, so at most ${cap}; got ${length}`;
        throw new LimitError("STRING_TOO_LONG", "patternInput", limits, detail);
      }
      spend(run, cost + (power > 1 ? length ** power : length) / MOVES_PER_STEP);
      return matcher.test(text);
    },
  };
}

/** With the `u` flag as JSON Schema asks; without it for the many patterns that escape more than it allows. */
function native(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}
