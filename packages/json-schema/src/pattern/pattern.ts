import { LimitError, SchemaError } from "../errors.js";
import { step } from "../json.js";
import { type Budget, spend } from "../limits.js";
import type { Site } from "../site.js";
import { show } from "../wording.js";
import { growth } from "./growth.js";

/**
 * Compiles the source of a pattern; throws when it cannot. `test` tells whether it matches anywhere in a string.
 * @stable
 */
export type PatternEngine = (source: string) => { test(text: string): boolean };

/** Tells whether a pattern matches anywhere in a string. */
export type Pattern = (text: string, run: Budget) => boolean;

/** Moves of a matcher in one step, and in one way through a pattern. */
const MOVES_PER_STEP = 256;
const MOVES_PER_WAY = 16;

/**
 * Compiles a pattern, unless it could stall the process.
 * @throws {SchemaError} `INVALID_SCHEMA`, `UNSAFE_PATTERN`
 * @throws {LimitError} when it is too much work to tell
 */
export const compilePattern = ({ place, keyword, options, budget }: Site, source: string): Pattern => {
  const location = step(place.location, keyword);
  const words = `pattern ${show(source)}`;
  let matcher: ReturnType<PatternEngine>;
  try {
    matcher = (options.patternEngine ?? native)(source);
  } catch (cause) {
    throw new SchemaError("INVALID_SCHEMA", location, `${words}: ${cause}`);
  }
  const [power, ways] = matcher instanceof RegExp ? growth(source, matcher.flags, budget) : [1, 0];
  if (power === Infinity) {
    const advice = "repeat what matches in one way, or pass options.patternEngine";
    throw new SchemaError("UNSAFE_PATTERN", location, `${words} can take exponential time; ${advice}`);
  }
  const { limits } = budget;
  // one whose time grows with a higher power of the length is run only on strings where that is bearable
  const cap = power > 1 ? Math.floor(limits.patternInput ** (2 / power)) : Infinity;
  return (text, run) => {
    const { length } = text;
    if (length > cap) {
      throw new LimitError("patternInput", limits, `; ${words} runs on at most ${cap} characters`);
    }
    spend(run, 1 + (ways * MOVES_PER_WAY + length ** Math.max(power, 1)) / MOVES_PER_STEP);
    return matcher.test(text);
  };
};

/** With the `u` flag as JSON Schema asks; without it for the many patterns that escape more than it allows. */
const native = (source: string): RegExp => {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
};
