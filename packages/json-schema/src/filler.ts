import type { Run } from "./check.js";
import type { Registry } from "./registry.js";

/** Gives a value back with its defaults: itself if none was missing, else a copy as far as it differs. */
export type Fill = (value: unknown, run: Run) => unknown;

/**
 * Fills `default`s in. There is one, which `@parlance/json-schema/defaults` exports.
 * @stable
 */
export type Defaults = (registry: Registry) => Fill;
