import { AccessError } from "@parlance/jsonrpc";

/** Counts what is open a principal; everybody who is not known counts as one. */
export interface Limit {
  /** Takes a place. @throws AccessError `RATE_LIMITED` when none is left */
  enter(id: string | undefined): void;
  /** Gives back a place that was entered. */
  leave(id: string | undefined): void;
}

/** How long a caller over its limit is asked to wait. */
const retryAfterMs = 1_000;

/** @param what names what is counted, in the plural */
export function createLimit(what: string, most: number): Limit {
  const open = new Map<string | undefined, number>();
  return {
    enter(id) {
      const count = open.get(id) ?? 0;
      if (count >= most) {
        throw new AccessError("RATE_LIMITED", `${count} ${what} are open; the limit is ${most}`, { retryAfterMs });
      }
      open.set(id, count + 1);
    },
    leave(id) {
      const count = (open.get(id) ?? 1) - 1;
      // not the anonymous one: it comes and goes with every call
      if (count > 0 || id === undefined) open.set(id, count);
      else open.delete(id);
    },
  };
}
