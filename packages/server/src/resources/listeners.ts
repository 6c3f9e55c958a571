import type { CatalogReport } from "../report.js";

/**
 * Hears that a URI gained its first listener; what it gives back hears that it lost its last. `changed` tells all who
 * listen that the resource has changed.
 * @stable
 */
export type Watch = (uri: string, changed: () => void) => (() => void) | undefined;

interface Listened {
  count: number;
  readonly end: (() => void) | undefined;
}

/** Counts who listens to what. @returns what one more listener calls when it listens no more */
export function createListeners(
  watch: Watch | undefined,
  changed: (uri: string) => void,
  report: (report: CatalogReport) => void,
): (uri: string) => () => void {
  const all = new Map<string, Listened>();

  function leave(uri: string, listened: Listened): void {
    listened.count -= 1;
    if (listened.count > 0) return;
    all.delete(uri);
    try {
      listened.end?.();
    } catch (error) {
      report({ kind: "listener_failed", error });
    }
  }

  return (uri) => {
    const listened = all.get(uri) ?? { count: 0, end: watch?.(uri, () => changed(uri)) };
    listened.count += 1;
    all.set(uri, listened);
    return () => leave(uri, listened);
  };
}
