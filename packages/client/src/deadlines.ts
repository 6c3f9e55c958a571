import { createSlots, type Numbered } from "@parlance/jsonrpc";
import { longestTimerMs } from "@parlance/jsonrpc/timer";

/** Something that ends at a time of `performance.now()`, unless it is dropped before. */
export interface Deadline extends Numbered {
  /** Given when it is added; 0 before. */
  number: number;
  /** May move to later; that is noticed when the earlier time has come. */
  readonly at: number;
  expire(): void;
}

/** All deadlines of a client. */
export interface Deadlines {
  /** Adds one, or notices that one has moved to earlier. */
  add(deadline: Deadline): void;
  drop(deadline: Deadline): void;
  /** From now on no timer waits for the next one. */
  close(): void;
}

/** Node's keeps a process from ending, unless it is told not to; elsewhere one is a number. */
type Timer = number | { ref(): unknown; unref(): unknown };

/** One timer for all deadlines, as long as there are any: a timer each costs about a fifth of a call. */
export function createDeadlines(): Deadlines {
  const waiting = createSlots<Deadline>();
  let timer: Timer | undefined;
  let due = Number.POSITIVE_INFINITY;
  let isClosed = false;

  function arm(at: number): void {
    if (at >= due) return;
    due = at;
    clearTimeout(timer as number | undefined);
    // a longer wait is made of several
    timer = setTimeout(sweep, Math.min(longestTimerMs, at - performance.now()));
  }

  function sweep(): void {
    const now = performance.now();
    due = Number.POSITIVE_INFINITY;
    for (const { number } of waiting.all()) {
      const deadline = waiting.get(number);
      // timers are whole milliseconds and may come early by a part of one
      if (deadline !== undefined && deadline.at - now >= 1) arm(deadline.at);
      else waiting.take(number)?.expire();
    }
  }

  function rest(): void {
    if (waiting.size() > 0) return;
    // the next is mostly soon: to end a timer and begin another costs a tenth of a call
    if (!isClosed && typeof timer === "object") return void timer.unref();
    clearTimeout(timer as number | undefined);
    due = Number.POSITIVE_INFINITY;
  }

  return {
    add: (deadline) => {
      if (waiting.get(deadline.number) === undefined) {
        if (waiting.size() === 0 && typeof timer === "object") timer.ref();
        deadline.number = waiting.next();
        waiting.add(deadline);
      }
      arm(deadline.at);
    },
    drop: (deadline) => {
      if (waiting.take(deadline.number) !== undefined) rest();
    },
    close: () => {
      isClosed = true;
      rest();
    },
  };
}
