import type { Defaults } from "../filler.js";
import { createFiller } from "./fill.js";

/**
 * Fills `default`s in before a value is looked at, in a copy: along `properties`, `items`, `prefixItems`, `allOf` and
 * `$ref`, where a schema applies without condition. For `options.defaults`.
 * @stable
 */
export const defaults: Defaults = createFiller;
