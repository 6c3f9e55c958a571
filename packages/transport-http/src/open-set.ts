/** How long an answer or a stream may be silent before a comment is sent. */
export const defaultKeepAliveMs: number = 15_000;

/** Something that goes on while the handler does other things. */
export interface Open {
  /** Called every interval; what was silent since the last time says something. */
  keepAlive(): void;
  /** Ends it at once. */
  abort(reason: Error): void;
}

/** All that is open: kept alive by one timer, and cut together. */
export interface OpenSet {
  add(member: Open): void;
  delete(member: Open): void;
  /** Ends every member, and the timer. */
  abort(reason: Error): void;
}

/** The timer runs only while there are members: it stops at the first tick without any, since calls come and go faster. */
export function createOpenSet(intervalMs: number): OpenSet {
  const members = new Set<Open>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function tick(): void {
    if (members.size === 0) stop();
    for (const member of members) member.keepAlive();
  }

  function start(): void {
    timer = setInterval(tick, intervalMs);
    letExit(timer);
  }

  return {
    add(member) {
      members.add(member);
      if (timer === undefined) start();
    },
    delete: (member) => void members.delete(member),
    abort(reason) {
      stop();
      for (const member of members) member.abort(reason);
      members.clear();
    },
  };
}

/** A timer of Node's keeps its process alive; elsewhere it is a number, and does not. */
export function letExit(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function") {
    timer.unref();
  }
}
