import { AccessError, type Principal } from "@parlance/jsonrpc";

/** Counts what is open a principal; everybody who is not known counts as one. */
export interface Limit {
  /** Takes a place. @throws AccessError `RATE_LIMITED` when none is left @returns what gives it back, once */
  take(principal: Principal | undefined): () => void;
}

/** How long a caller over its limit is asked to wait. */
const retryAfterMs = 1_000;

/** @param what names what is counted, in the plural */
export function createLimit(what: string, most: number): Limit {
  const open = new Map<string | undefined, number>();
  return {
    take(principal) {
      const id = principal?.id;
      const count = open.get(id) ?? 0;
      if (count >= most) {
        throw new AccessError("RATE_LIMITED", `${count} ${what} are open; the limit is ${most}`, { retryAfterMs });
      }
      open.set(id, count + 1);
      let taken = true;
      return () => {
        if (!taken) return;
        taken = false;
        const left = (open.get(id) ?? 1) - 1;
        if (left === 0) open.delete(id);
        else open.set(id, left);
      };
    },
  };
}
