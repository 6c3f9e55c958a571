/** Something that ends at a time of `performance.now()`, unless it is dropped before. */
export interface Deadline {
  /** May move; a later time is noticed when the earlier one has come. */
  readonly at: number;
  /** Where it stands among the others, which set it. */
  place?: number | undefined;
  expire(): void;
}

/** All deadlines of a client. */
export interface Deadlines {
  add(deadline: Deadline): void;
  drop(deadline: Deadline): void;
  /** Drops all of them, and whatever is added from now on. */
  close(): void;
}

/** `setTimeout` takes no more: a longer wait is made of several. */
const longestTimerMs = 2_147_483_647;

/**
 * One timer for all deadlines: a call that is answered in time costs an entry in an array, and each knows its own. A set
 * would leave a chain of outgrown tables behind, and with them what was in them. The timer stays for the calls to come,
 * and keeps no process alive.
 */
export function createDeadlines(): Deadlines {
  const waiting: Deadline[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Number.POSITIVE_INFINITY;
  let closed = false;

  function drop(deadline: Deadline): void {
    const { place } = deadline;
    if (place === undefined) return;
    deadline.place = undefined;
    const last = waiting.pop();
    if (last === undefined || last === deadline) return;
    waiting[place] = last;
    last.place = place;
  }

  function arm(at: number): void {
    clearTimeout(timer);
    due = at;
    timer =
      at === Number.POSITIVE_INFINITY ? undefined : setTimeout(sweep, Math.min(longestTimerMs, at - performance.now()));
    unref(timer);
  }

  function sweep(): void {
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    due = next;
    for (const deadline of [...waiting]) {
      // an earlier one's end may have dropped it
      if (deadline.place === undefined) continue;
      // timers are whole milliseconds and may come early by a part of one
      if (deadline.at - now < 1) {
        drop(deadline);
        deadline.expire();
      } else next = Math.min(next, deadline.at);
    }
    // what was added meanwhile has armed the timer for itself
    if (next < due) arm(next);
  }

  return {
    add: (deadline) => {
      if (closed) return;
      deadline.place = waiting.push(deadline) - 1;
      if (deadline.at < due) arm(deadline.at);
    },
    drop,
    close: () => {
      closed = true;
      for (const deadline of waiting.splice(0)) deadline.place = undefined;
      arm(Number.POSITIVE_INFINITY);
    },
  };
}

/** Where timers hold a process open, this one must not. */
function unref(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
}
