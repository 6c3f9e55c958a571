import type { Change, ChangeBus } from "@parlance/protocol-versions";

/**
 * Announces what changed to every connection that wants to know. After the server is closed it announces nothing.
 * @stable
 */
export interface Changes {
  /** The list of tools. */
  tools(): void;
  /** The list of prompts. */
  prompts(): void;
  /** The list of resources. */
  resources(): void;
  /** The contents of one resource. */
  resource(uri: string): void;
}

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

/** One server's use of a bus: it ends with the server, the bus may live on. */
export interface BusLease extends ChangeBus {
  end(): void;
}

/** Gives a bus for the life of one server. A listener that fails is told to `failed`; whoever publishes is not bothered. */
export function leaseBus(bus: ChangeBus, failed: (error: unknown) => void): BusLease {
  const subscriptions = new Set<() => void>();
  let ended = false;
  return {
    publish: (change) => {
      if (ended) return;
      try {
        bus.publish(change);
      } catch (error) {
        failed(error);
      }
    },
    subscribe: (listener) => {
      if (ended) return () => undefined;
      const unsubscribe = bus.subscribe(listener);
      subscriptions.add(unsubscribe);
      return () => {
        if (subscriptions.delete(unsubscribe)) unsubscribe();
      };
    },
    end: () => {
      ended = true;
      for (const unsubscribe of subscriptions) unsubscribe();
      subscriptions.clear();
    },
  };
}

/** The words in which a server's author announces changes. */
export function announcer(bus: ChangeBus): Changes {
  return {
    tools: () => bus.publish({ type: "tools" }),
    prompts: () => bus.publish({ type: "prompts" }),
    resources: () => bus.publish({ type: "resources" }),
    resource: (uri) => bus.publish({ type: "resource", uri }),
  };
}
