import { letExit, longestTimerMs } from "@parlance/jsonrpc/timer";

/** Something that goes on while the handler does other things. */
export interface Open {
  /** Called every interval; what was silent since the last time says something. */
  keepAlive(): void;
  /** Ends it at once. */
  abort(reason: Error): void;
}

/** All that is open: kept alive one by one, and cut together. */
export interface OpenSet {
  add(member: Open): void;
  delete(member: Open): void;
  /** Ends every member, and the timers. */
  abort(reason: Error): void;
}

/** Each member has its own timer: on Cloudflare's runtime a timer ends with the request that starts it. */
export function createOpenSet(intervalMs: number): OpenSet {
  const timers = new Map<Open, ReturnType<typeof setInterval>>();

  function remove(member: Open): void {
    clearInterval(timers.get(member));
    timers.delete(member);
  }

  return {
    add(member) {
      const timer = setInterval(() => member.keepAlive(), Math.min(intervalMs, longestTimerMs));
      letExit(timer);
      timers.set(member, timer);
    },
    delete: remove,
    abort(reason) {
      for (const member of [...timers.keys()]) {
        remove(member);
        member.abort(reason);
      }
    },
  };
}
