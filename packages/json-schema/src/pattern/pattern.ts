import { LimitError, SchemaError } from "../errors.js";
import { type AllLimits, type Run, spend, within } from "../limits.js";
import { show } from "../wording.js";
import { type Growth, growth } from "./growth.js";

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

/** Moves of a matcher in one step, and ways through a pattern. */
const MOVES_PER_STEP = 256;
const WAYS_PER_STEP = 16;

export function createPatterns(limits: AllLimits, engine: PatternEngine | undefined): Patterns {
  const made = new Map<string, Pattern>();
  let work = 0;

  function compile(source: string, location: string): Pattern {
    const words = `pattern ${show(source)}`;
    let grown: Growth = { power: 1, ways: 0 };
    let matcher: ReturnType<PatternEngine>;
    try {
      matcher = (engine ?? native)(source);
    } catch (cause) {
      throw new SchemaError("INVALID_SCHEMA", location, `${words} is not a regular expression: ${cause}`, { cause });
    }
    if (engine === undefined) {
      const { length } = source;
      // the analysis takes time of the square of a pattern's length
      work += length ** 2;
      within(limits, "patternWork", work, "TOO_MUCH_PATTERN", ` at ${location}`);
      if (matcher instanceof RegExp) grown = growth(source, matcher.flags);
      if (length > limits.patternLength) grown = { power: Infinity, ways: 0 };
    }
    const { power, ways } = grown;
    if (power === Infinity) {
      const advice = "let what repeats match a text in one way only, or pass options.patternEngine";
      const message = `${words} can take exponential time, or is too long to tell; ${advice}`;
      throw new SchemaError("UNSAFE_PATTERN", location, message);
    }
    // one whose time grows with a higher power of the length is run only on strings where that is bearable
    const cap = power > 1 ? Math.floor(limits.patternInput ** (2 / power)) : Infinity;
    return {
      test(text, run) {
        const { length } = text;
        if (length > cap) {
          const detail = `: ${words} takes time of the power ${power} of the length, so at most ${cap}; got ${length}`;
          throw new LimitError("STRING_TOO_LONG", "patternInput", limits, detail);
        }
        spend(run, 1 + ways / WAYS_PER_STEP + length ** Math.max(power, 1) / MOVES_PER_STEP);
        return matcher.test(text);
      },
    };
  }

  return (source, location) => {
    const pattern = made.get(source) ?? compile(source, location);
    made.set(source, pattern);
    return pattern;
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
