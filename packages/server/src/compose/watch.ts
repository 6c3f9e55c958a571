import type { ChangeBus, Watching } from "@parlance/protocol-versions";

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
