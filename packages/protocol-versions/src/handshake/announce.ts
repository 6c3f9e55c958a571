import type { Notify } from "@parlance/jsonrpc";
import type { ChangeBus } from "../change.js";

/**
 * Tells one client of changes.
 */
export interface Announcer {
  /** Lets go of what was held back, and holds back nothing more. */
  open(): void;
  stop(): void;
}

/**
 * Tells a client that lists have changed, those of them that it was promised to hear of. Changes made in one turn are
 * told once; before `open` they are held back.
 * @see MCP 2025-11-25, basic/lifecycle, initialization
 */
export function createAnnouncer(changes: ChangeBus, notify: Notify, promised: ReadonlySet<string>): Announcer {
  const pending = new Set<string>();
  let isOpen = false;
  let isScheduled = false;

  function flush(): void {
    isScheduled = false;
    for (const type of pending) {
      // a connection that can no longer be told is about to say that it is closed
      notify(`notifications/${type}/list_changed`, {}).catch(() => {});
    }
    pending.clear();
  }

  function schedule(): void {
    if (isOpen && !isScheduled) {
      isScheduled = true;
      queueMicrotask(flush);
    }
  }

  const stop = changes.subscribe(({ type }) => {
    if (promised.has(type)) {
      pending.add(type);
      schedule();
    }
  });

  return {
    open() {
      isOpen = true;
      schedule();
    },
    stop() {
      pending.clear();
      stop();
    },
  };
}
