import { LocalError, type Principal } from "@parlance/jsonrpc";
import { letExit } from "@parlance/jsonrpc/timer";
import { createLimit } from "../limits.js";
import type { Session } from "./session.js";

/** How long sessions live, and how many there may be. */
export interface SessionLimits {
  readonly idleMs: number;
  readonly maxAgeMs: number;
  readonly maxSessions: number;
}

/** How often sessions are looked over, at most and at least. */
const sweepMs = { longest: 60_000, shortest: 1_000 };

/** The sessions of one binding. */
export interface Sessions {
  /** Adds one. @throws AccessError `RATE_LIMITED` when the principal has too many */
  add(session: Session): void;
  /** The session of that id, if it lives and is this principal's: it is no proof of who calls. Finding it counts as use. */
  find(id: string, principal: Principal | undefined): Session | undefined;
  end(session: Session, why: string): void;
  all(): readonly Session[];
}

/** One timer looks over all of them, and runs only while there are any. */
export function createSessions({ idleMs, maxAgeMs, maxSessions }: SessionLimits, now: () => number): Sessions {
  const sessions = new Map<string, Session>();
  const limit = createLimit("sessions", maxSessions);
  const everyMs = Math.min(sweepMs.longest, Math.max(sweepMs.shortest, Math.min(idleMs, maxAgeMs) / 4));
  let timer: ReturnType<typeof setInterval> | undefined;

  function isExpired(session: Session, at: number): boolean {
    if (at - session.usedAtMs >= idleMs && session.isInUse) session.usedAtMs = at;
    return at - session.openedAtMs >= maxAgeMs || at - session.usedAtMs >= idleMs;
  }

  function sweep(): void {
    const at = now();
    for (const session of sessions.values()) if (isExpired(session, at)) end(session, "The session expired");
  }

  function end(session: Session, why: string): void {
    if (!sessions.delete(session.id)) return;
    limit.leave(session.principalId);
    session.end(new LocalError("CLOSED", why));
    if (sessions.size === 0) clearInterval(timer);
  }

  return {
    add(session) {
      limit.enter(session.principalId);
      sessions.set(session.id, session);
      if (sessions.size > 1) return;
      timer = setInterval(sweep, everyMs);
      letExit(timer);
    },
    find(id, principal) {
      const session = sessions.get(id);
      if (session === undefined || session.principalId !== principal?.id) return undefined;
      const at = now();
      if (isExpired(session, at)) {
        end(session, "The session expired");
        return undefined;
      }
      session.usedAtMs = at;
      return session;
    },
    end,
    all: () => [...sessions.values()],
  };
}
