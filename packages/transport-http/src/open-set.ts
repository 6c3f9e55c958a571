/** How long an answer or a stream may be silent before a comment is sent. */
export const defaultKeepAliveMs: number = 15_000;

/** Something that goes on while the handler does other things. */
export interface Open {
  /** Called every interval; what was silent since the last time says something. */
  keepAlive(): void;
  /** Ends it at once. */
  abort(reason: Error): void;
}

/** All that is open: kept alive and cut together. */
export interface OpenSet {
  add(member: Open): void;
  delete(member: Open): void;
  /** Ends every member, and the timers. */
  abort(reason: Error): void;
}

/** @param oneTimer whether one timer may serve all; default: wherever timers outlive the request that starts them */
export function createOpenSet(intervalMs: number, oneTimer: boolean = !timersEndWithRequests()): OpenSet {
  return oneTimer ? withOneTimer(intervalMs) : withTimerEach(intervalMs);
}

/** On Cloudflare's runtime what a request starts ends with it, silently; this is how it says that it is the one. */
function timersEndWithRequests(): boolean {
  return typeof navigator === "object" && navigator.userAgent === "Cloudflare-Workers";
}

/** The timer runs only while there are members: it stops at the first tick without any, since calls come and go faster. */
function withOneTimer(intervalMs: number): OpenSet {
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

function withTimerEach(intervalMs: number): OpenSet {
  const timers = new Map<Open, ReturnType<typeof setInterval>>();

  function remove(member: Open): void {
    clearInterval(timers.get(member));
    timers.delete(member);
  }

  return {
    add(member) {
      remove(member);
      timers.set(
        member,
        setInterval(() => member.keepAlive(), intervalMs),
      );
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

/** A timer of Node's keeps its process alive; elsewhere it is a number, and does not. */
export function letExit(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function") {
    timer.unref();
  }
}
