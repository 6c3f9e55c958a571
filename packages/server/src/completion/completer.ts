import type { Call } from "@parlance/protocol-versions";

/**
 * Suggestions, the most relevant first. Of more than 100, the first 100 are sent, and how many there are.
 * @stable
 */
export type Completed =
  | readonly string[]
  | {
      readonly values: readonly string[];
      /** How many there are in all. Default: those that are here. */
      readonly total?: number | undefined;
      readonly hasMore?: boolean | undefined;
    };

/**
 * What suggests values: a list, of which those that start with what was typed come first and then those that contain
 * it, or a function of what was typed and of the arguments chosen already.
 * @stable
 */
export type Completer =
  | readonly string[]
  | ((
      value: string,
      chosen: Readonly<Record<string, string | undefined>>,
      call: Call,
    ) => Completed | Promise<Completed>);
