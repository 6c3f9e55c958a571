import { LimitError } from "./errors.js";

/**
 * The bounds of one validator. Exceeding one is a `LimitError`, never a verdict.
 * @stable
 */
export interface Limits {
  /**
   * Levels of subschemas within each other while validating, where recursive references add up. A schema document, as
   * JSON, may nest a quarter as deep. Default 1,000.
   */
  readonly depth?: number | undefined;
  /**
   * Work of compiling: about one step for a value in any of the schema documents used, and for a move looked at to tell how the time of a pattern grows. Default 1,000,000.
   */
  readonly schemaSize?: number | undefined;
  /** Subschemas in all documents used. Default 5,000. */
  readonly subschemas?: number | undefined;
  /** Work of one validation: about one step a subschema applied, an item or member seen. Default 1,000,000. */
  readonly steps?: number | undefined;
  /**
   * Longest string, in UTF-16 code units, that a pattern of quadratic cost is run on; of cubic and worse cost
   * as many as take the same time. Linear patterns have no cap. Default 10,000.
   */
  readonly patternInput?: number | undefined;
  /** Issues that `validate` collects before it stops. Default 100. */
  readonly issues?: number | undefined;
}

/** The bounds, with none left open. */
export type AllLimits = { readonly [Name in keyof Limits]-?: number };

/** Fills in the bounds that nobody chose. */
export const withDefaults = ({
  depth = 1_000,
  schemaSize = 1_000_000,
  subschemas = 5_000,
  steps = 1_000_000,
  patternInput = 10_000,
  issues = 100,
}: Limits = {}): AllLimits => ({ depth, schemaSize, subschemas, steps, patternInput, issues });

/** What is left of the work that may be done, and how deep it is. */
export interface Budget {
  readonly limits: AllLimits;
  /** The limit of its steps. */
  readonly option: keyof Limits;
  steps: number;
  depth: number;
}

/** @throws {LimitError} when more than the limit is used */
export const within = (limits: AllLimits, option: keyof Limits, used: number): void => {
  if (used > limits[option]) throw new LimitError(option, limits);
};

/** Takes steps from what is left. @throws {LimitError} when it was less */
export const spend = (budget: Budget, steps: number): void => {
  budget.steps -= steps;
  if (budget.steps < 0) throw new LimitError(budget.option, budget.limits);
};

/** Goes `levels` deeper; the caller comes back up by taking them off `depth`. */
export const deepen = (budget: Budget, levels: number): void => {
  budget.depth += levels;
  within(budget.limits, "depth", budget.depth);
};
