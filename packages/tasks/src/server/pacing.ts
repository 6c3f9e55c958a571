import type { TaskRecord } from "../store.js";

/** Keeps clients from looking more often than they should. */
export interface Pacing {
  /** Waits until it is time for the next look, the task changes or the caller is gone. @returns whether it had to wait */
  hold(record: TaskRecord, signal: AbortSignal): Promise<boolean>;
  changed(taskId: string): void;
  /** A task that is over is looked at as often as anybody likes. */
  forget(taskId: string): void;
}

export function createPacing(): Pacing {
  const looks = new Map<string, number>();
  const held = new Map<string, Set<() => void>>();

  return {
    hold: async ({ taskId, pollIntervalMs = 0 }, signal) => {
      const waitMs = (looks.get(taskId) ?? 0) + pollIntervalMs - Date.now();
      if (waitMs > 0 && !signal.aborted) {
        const waiting = held.get(taskId) ?? new Set();
        held.set(taskId, waiting);
        await new Promise<void>((resolve) => {
          const go = (): void => {
            clearTimeout(timer);
            signal.removeEventListener("abort", go);
            waiting.delete(go);
            resolve();
          };
          const timer = setTimeout(go, waitMs);
          signal.addEventListener("abort", go);
          waiting.add(go);
        });
      }
      looks.set(taskId, Date.now());
      return waitMs > 0;
    },
    changed: (taskId) => {
      for (const go of held.get(taskId) ?? []) go();
    },
    forget: (taskId) => {
      for (const go of held.get(taskId) ?? []) go();
      looks.delete(taskId);
      held.delete(taskId);
    },
  };
}
