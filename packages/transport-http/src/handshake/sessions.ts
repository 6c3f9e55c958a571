import { LocalError, type Principal } from "@parlance/jsonrpc";
import { createLimit } from "../limits.js";
import { letExit } from "../open-set.js";
import type { EventStore } from "./event-store.js";
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
  /** The session of that id, if it lives and is this principal's. Finding it counts as use. */
  find(id: string, principal: Principal | undefined): Session | undefined;
  end(session: Session, why: string): void;
  values(): Iterable<Session>;
}

/** One timer looks over all of them, and runs only while there are any. */
export function createSessions(
  { idleMs, maxAgeMs, maxSessions }: SessionLimits,
  store: EventStore | undefined,
  now: () => number,
): Sessions {
  const sessions = new Map<string, Session>();
  const limit = createLimit("sessions", maxSessions);
  const everyMs = Math.min(sweepMs.longest, Math.max(sweepMs.shortest, Math.min(idleMs, maxAgeMs) / 4));
  let timer: ReturnType<typeof setInterval> | undefined;

  function expired(session: Session, at: number): boolean {
    if (at - session.openedAtMs >= maxAgeMs) return true;
    if (at - session.usedAtMs < idleMs) return false;
    if (!session.isInUse) return true;
    session.usedAtMs = at;
    return false;
  }

  function sweep(): void {
    const at = now();
    for (const session of sessions.values()) if (expired(session, at)) end(session, "The session expired");
  }

  function end(session: Session, why: string): void {
    if (!sessions.delete(session.id)) return;
    limit.leave(session.principalId);
    session.end(new LocalError("CLOSED", why));
    if (store !== undefined) void forget(session.id); // never rejects
    if (sessions.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** A store that fails to forget bounds itself. */
  async function forget(id: string): Promise<void> {
    try {
      await store?.drop(id);
    } catch {
      // nobody waits for it, and the session is gone either way
    }
  }

  return {
    add(session) {
      limit.enter(session.principalId);
      sessions.set(session.id, session);
      if (timer !== undefined) return;
      timer = setInterval(sweep, everyMs);
      letExit(timer);
    },
    find(id, principal) {
      const session = sessions.get(id);
      if (session === undefined || !session.isOf(principal)) return undefined;
      const at = now();
      if (expired(session, at)) {
        end(session, "The session expired");
        return undefined;
      }
      session.usedAtMs = at;
      return session;
    },
    end,
    values: () => sessions.values(),
  };
}
