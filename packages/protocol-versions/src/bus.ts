import type { Change, ChangeBus } from "./change.js";

/**
 * A bus within this process: what several servers share, or the model for one that spans processes.
 * Every listener hears every change, also when another one throws; then `publish` throws an `AggregateError`.
 * @stable
 */
export function createChangeBus(): ChangeBus {
  const subscriptions = new Set<{ readonly listener: (change: Change) => void }>();
  return {
    publish: (change) => {
      const failures: unknown[] = [];
      for (const { listener } of [...subscriptions]) {
        try {
          listener(change);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} listeners failed on a change`);
    },
    subscribe: (listener) => {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
  };
}

/**
 * What a server knows when it asks for its bus.
 * @experimental
 */
export interface BusOptions {
  /** The bus that it was given. Default: one of its own. */
  readonly shared?: ChangeBus | undefined;
  /** Aborts when the server closes, and with that its use of the bus; the bus may live on. */
  readonly closing: AbortSignal;
  /** Hears that a listener failed; whoever publishes is not bothered. */
  readonly failed: (error: unknown) => void;
}

/** Gives a bus for the life of one server. */
export function leaseBus({ shared = createChangeBus(), closing, failed }: BusOptions): ChangeBus {
  const subscriptions = new Set<() => void>();
  closing.addEventListener("abort", () => {
    for (const unsubscribe of subscriptions) unsubscribe();
    subscriptions.clear();
  });
  return {
    publish: (change) => {
      if (closing.aborted) return;
      try {
        shared.publish(change);
      } catch (error) {
        failed(error);
      }
    },
    subscribe: (listener) => {
      if (closing.aborted) return () => undefined;
      const unsubscribe = shared.subscribe(listener);
      subscriptions.add(unsubscribe);
      return () => {
        if (subscriptions.delete(unsubscribe)) unsubscribe();
      };
    },
  };
}
