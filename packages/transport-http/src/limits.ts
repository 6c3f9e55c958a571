import { AccessError, type Principal } from "@parlance/jsonrpc";

/** Counts what is open a principal; everybody who is not known counts as one. */
export interface Limit {
  /** Takes a place. @throws AccessError `RATE_LIMITED` when none is left @returns what gives it back, once */
  take(principal: Pick<Principal, "id"> | undefined): () => void;
  /** The same for one who keeps note of it. @throws AccessError `RATE_LIMITED` when none is left */
  enter(id: string | undefined): void;
  /** Gives back a place that was entered. */
  leave(id: string | undefined): void;
}

/** How long a caller over its limit is asked to wait. */
const retryAfterMs = 1_000;

/** @param what names what is counted, in the plural */
export function createLimit(what: string, most: number): Limit {
  const open = new Map<string | undefined, { count: number }>();

  function enter(id: string | undefined): void {
    const counted = open.get(id) ?? { count: 0 };
    if (counted.count >= most) {
      throw new AccessError("RATE_LIMITED", `${counted.count} ${what} are open; the limit is ${most}`, {
        retryAfterMs,
      });
    }
    if (counted.count === 0) open.set(id, counted);
    counted.count += 1;
  }

  function leave(id: string | undefined): void {
    const counted = open.get(id);
    if (counted === undefined) return;
    counted.count -= 1;
    // not the anonymous one: it comes and goes with every call
    if (counted.count === 0 && id !== undefined) open.delete(id);
  }

  return {
    enter,
    leave,
    take(principal) {
      const id = principal?.id;
      enter(id);
      let taken = true;
      return () => {
        if (taken) leave(id);
        taken = false;
      };
    },
  };
}
