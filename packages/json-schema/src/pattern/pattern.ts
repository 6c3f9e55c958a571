import { LimitError, SchemaError } from "../errors.js";
import { type AllLimits, type Run, spend } from "../limits.js";
import { plural, show } from "../wording.js";
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
 */
export type Patterns = (source: string, location: string) => Pattern;

/** Code units that a linear pattern gets through in one step. */
const UNITS_PER_STEP = 64;
/** Moves of a backtracking matcher in one step. */
const MOVES_PER_STEP = 256;
/** Moves of one way through a pattern. */
const MOVES_PER_WAY = 16;

export function createPatterns(limits: AllLimits, engine: PatternEngine | undefined): Patterns {
  const made = new Map<string, Pattern>();

  function make(source: string, location: string): Pattern {
    const matcher = compile(engine ?? native, source, location);
    if (engine !== undefined) return linear(matcher, 1);
    if (source.length > limits.patternLength) {
      throw unsafe(location, source, `it is longer than ${limits.patternLength} characters (limits.patternLength)`);
    }
    const { power, ways } = growth(source, matcher instanceof RegExp ? matcher.flags : "u");
    if (power === Number.POSITIVE_INFINITY) {
      throw unsafe(
        location,
        source,
        "its time can grow exponentially, as a repeated part can match the same text in several ways; make the parts under the repeat exclude each other, or pass options.patternEngine",
      );
    }
    const cost = 1 + (ways * MOVES_PER_WAY) / MOVES_PER_STEP;
    return power <= 1 ? linear(matcher, cost) : capped(matcher, source, power, cost, limits);
  }

  return (source, location) => {
    const pattern = made.get(source) ?? make(source, location);
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

function compile(engine: PatternEngine, source: string, location: string): ReturnType<PatternEngine> {
  try {
    return engine(source);
  } catch (cause) {
    throw new SchemaError(
      "INVALID_SCHEMA",
      location,
      `pattern ${show(source)} is not a regular expression: ${messageOf(cause)}`,
      { cause },
    );
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : show(cause);
}

function unsafe(location: string, source: string, reason: string): SchemaError {
  return new SchemaError("UNSAFE_PATTERN", location, `pattern ${show(source)} is refused: ${reason}`);
}

function linear(matcher: ReturnType<PatternEngine>, cost: number): Pattern {
  return {
    test(text, run) {
      spend(run, cost + text.length / UNITS_PER_STEP);
      return matcher.test(text);
    },
  };
}

/** A pattern whose time grows with a higher power of the length is run only on strings where that is bearable. */
function capped(
  matcher: ReturnType<PatternEngine>,
  source: string,
  power: number,
  cost: number,
  limits: AllLimits,
): Pattern {
  const cap = Math.floor(limits.patternInput ** (2 / power));
  return {
    test(text, run) {
      if (text.length > cap) {
        const reason = `a string of ${plural(text.length, "character")} is too long for the pattern ${show(source)}`;
        const why = `its time grows with the power ${power} of the length, so it is run on up to ${cap}`;
        throw new LimitError("STRING_TOO_LONG", "patternInput", limits, `${reason}: ${why}`);
      }
      spend(run, cost + text.length ** power / MOVES_PER_STEP);
      return matcher.test(text);
    },
  };
}
