import type { ChangeBus, Outcome, Watching } from "@parlance/protocol-versions";

/** Watches with the first that lets the resource be watched. */
export function watchAll(all: readonly Watching[]): Watching {
  return {
    open(changes, tell) {
      const watchers = all.map((watching) => watching.open(changes, tell));
      return {
        add(call, uri) {
          let outcome: Outcome = { type: "refused", reason: "not_found", message: "nothing can be watched here" };
          for (const watcher of watchers) {
            outcome = watcher.add(call, uri);
            if (outcome.type === "complete") break;
          }
          return outcome;
        },
        delete(call, uri) {
          const [first] = watchers.map((watcher) => watcher.delete(call, uri));
          return first ?? { type: "complete", result: {} };
        },
        close() {
          for (const watcher of watchers) watcher.close();
        },
      };
    },
  };
}

/** How the URI of a mounted resource is told outside, and back; `undefined`: it is none of the mounted. */
export interface UriNames {
  readonly outside: (uri: string) => string;
  readonly inside: (uri: string) => string | undefined;
}

/** Watches resources under the URIs that they have outside. */
export function watchAs({ outside, inside }: UriNames, watching: Watching): Watching {
  const translated = (uri: unknown): unknown => (typeof uri === "string" ? (inside(uri) ?? null) : uri);
  return {
    open(changes, tell) {
      const watcher = watching.open(insideBus(changes, inside), (uri) => tell(outside(uri)));
      return {
        add: (call, uri = call.params["uri"]) => watcher.add(call, translated(uri)),
        delete: (call, uri = call.params["uri"]) => watcher.delete(call, translated(uri)),
        close: watcher.close,
      };
    },
  };
}

function insideBus(changes: ChangeBus, inside: UriNames["inside"]): ChangeBus {
  return {
    publish: () => {},
    subscribe: (listener) =>
      changes.subscribe((change) => {
        const uri = change.type === "resource" ? inside(change.uri) : undefined;
        if (uri !== undefined) listener({ type: "resource", uri });
      }),
  };
}
