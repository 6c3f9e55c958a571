import { pause } from "./back-off.js";
import { hostDefaults } from "./defaults.js";

/** Reads a list again when it changed: one reading at a time, and each a while after the last. */
export interface Refresh {
  /** It changed. Without a server it is read by whoever connects. */
  changed(): void;
  /** It is about to be read as a whole. @returns what to call when it was: it is read again if it changed meanwhile */
  begin(): () => void;
}

/**
 * @param read reads it
 * @param canRead whether there is a server to ask
 */
export function createRefresh(read: () => Promise<void>, canRead: () => boolean, ending: AbortSignal): Refresh {
  let isRunning = false;
  let isStale = false;
  let readMs = 0;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (isStale && canRead()) {
      await pause(readMs + hostDefaults.refreshGapMs - performance.now(), ending);
      if (!canRead()) break;
      isStale = false;
      await read();
      readMs = performance.now();
    }
    isRunning = false;
  }

  return {
    changed: () => {
      isStale = true;
      void run();
    },
    begin: () => {
      isStale = false;
      return () => {
        readMs = performance.now();
        void run();
      };
    },
  };
}
