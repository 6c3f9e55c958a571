import { longestTimerMs } from "@parlance/jsonrpc/timer";

/** Something that ends at a time of `performance.now()`, unless it is dropped before. */
export interface Deadline {
  /** May move to later; that is noticed when the earlier time has come. */
  readonly at: number;
  expire(): void;
}

/** All deadlines of a client. */
export interface Deadlines {
  /** Adds one, or notices that one has moved to earlier. */
  add(deadline: Deadline): void;
  drop(deadline: Deadline): void;
}

/** One timer for all deadlines, as long as there are any: a timer each costs about a fifth of a call. */
export function createDeadlines(): Deadlines {
  const waiting = new Set<Deadline>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Number.POSITIVE_INFINITY;

  function arm(at: number): void {
    if (at >= due) return;
    due = at;
    clearTimeout(timer);
    // a longer wait is made of several
    timer = setTimeout(sweep, Math.min(longestTimerMs, at - performance.now()));
  }

  function sweep(): void {
    const now = performance.now();
    due = Number.POSITIVE_INFINITY;
    for (const deadline of waiting) {
      // timers are whole milliseconds and may come early by a part of one
      if (deadline.at - now >= 1) arm(deadline.at);
      else {
        waiting.delete(deadline);
        deadline.expire();
      }
    }
  }

  return {
    add: (deadline) => {
      waiting.add(deadline);
      arm(deadline.at);
    },
    drop: (deadline) => {
      if (!waiting.delete(deadline) || waiting.size > 0) return;
      clearTimeout(timer);
      due = Number.POSITIVE_INFINITY;
    },
  };
}
