import { follow } from "./abort.js";
import type { Deadlines } from "./deadlines.js";

/** Something that may take a while, but not for ever. */
export interface Limit {
  /** Aborts when it is over. */
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Lets go of what it listens to. */
  end(): void;
}

/** Ends with `outer`, and after `ms` with the reason that `late` gives. */
export function createLimit(
  deadlines: Deadlines,
  outer: AbortSignal | undefined,
  ms: number,
  late: () => unknown,
): Limit {
  const controller = new AbortController();
  const abort = (reason: unknown): void => controller.abort(reason);
  const unlink = follow(outer, abort);
  const deadline = { at: performance.now() + ms, expire: () => abort(late()) };
  deadlines.add(deadline);
  return {
    signal: controller.signal,
    abort,
    end: () => {
      unlink();
      deadlines.drop(deadline);
    },
  };
}
