/**
 * Remembers which request states were used, so that each is good once. Servers behind one balancer share one.
 * @stable
 */
export interface UsedStates {
  /**
   * Takes a state, the first time it comes.
   * @param id of the state
   * @param untilMs when it expires, in milliseconds since 1970: it need not be remembered for longer
   * @returns whether it was not used before
   */
  claim(id: string, untilMs: number): boolean | Promise<boolean>;
}

/** How many are remembered before those that expired are looked for. */
const sweepAt = 1_000;

/**
 * Remembers used states in this process.
 * @stable
 */
export function memoryUsedStates(): UsedStates {
  const used = new Map<string, number>();
  let next = sweepAt;
  return {
    claim: (id, untilMs) => {
      if (used.has(id)) return false;
      if (used.size >= next) {
        const now = Date.now();
        for (const [each, until] of used) if (until < now) used.delete(each);
        next = 2 * used.size + sweepAt;
      }
      used.set(id, untilMs);
      return true;
    },
  };
}
