/** Counts what is under way, so that a closing handler can wait for it. */
export interface Traffic {
  /** @param also done too when it is over @returns what says that it is over, once */
  enter(also?: () => void): () => void;
  /** Settles when nothing is under way, or after `ms`. */
  ended(ms: number): Promise<void>;
}

export function createTraffic(): Traffic {
  let running = 0;
  let idle: (() => void) | undefined;
  return {
    enter(also) {
      running += 1;
      let under = true;
      return () => {
        if (!under) return;
        under = false;
        also?.();
        running -= 1;
        if (running === 0) idle?.();
      };
    },
    ended: (ms) =>
      new Promise((resolve) => {
        if (running === 0) return resolve();
        const timer = setTimeout(resolve, ms);
        idle = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
