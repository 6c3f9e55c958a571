import type { Change } from "@parlance/protocol-versions";
import type { CatalogReport } from "./report.js";

/** Tells of changes, once for all those of a turn; a listener that throws disturbs nobody. */
export interface Announcements {
  announce(change: Change): void;
  /** @returns what ends it */
  listen(listener: (change: Change) => void): () => void;
}

export function createAnnouncements(report: (report: CatalogReport) => void): Announcements {
  const listeners = new Set<(change: Change) => void>();
  const waiting = new Map<string, Change>();

  function tell(): void {
    const changes = [...waiting.values()];
    waiting.clear();
    for (const change of changes) for (const listener of listeners) tellOne(listener, change);
  }

  function tellOne(listener: (change: Change) => void, change: Change): void {
    try {
      listener(change);
    } catch (error) {
      report({ kind: "listener_failed", error });
    }
  }

  return {
    announce(change) {
      if (listeners.size === 0) return;
      if (waiting.size === 0) queueMicrotask(tell);
      waiting.set(change.type === "resource" ? change.uri : change.type, change);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
