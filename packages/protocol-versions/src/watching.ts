import { excerpt } from "@parlance/jsonrpc/codec";
import type { Change, ChangeBus } from "./change.js";
import type { Call, FeatureSet, Outcome, Refused } from "./feature.js";

/**
 * Lets readers hear of single resources.
 * @experimental
 */
export interface Watching {
  /**
   * @param tell says that a resource has changed, once for all its changes of a turn and for all that come before the
   * reader took what was told last
   */
  open(changes: ChangeBus, tell: (uri: string) => Promise<void>): Watcher;
  /** `watchAll`, of what may be one of several. */
  readonly join?: typeof watchAll | undefined;
}

/**
 * What one reader wants to hear of: a session, or a listen stream.
 * @experimental
 */
export interface Watcher {
  /** @param uri default: the call's */
  add(this: void, call: Call, uri?: unknown): Outcome;
  /** What was never added is nothing to delete. @param uri default: the call's */
  delete(this: void, call: Call, uri?: unknown): Outcome;
  close(): void;
}

/** How single resources are watched: whichever set lets it. */
export function watchingOf(features: readonly FeatureSet[]): Watching | undefined {
  const all = features.flatMap(({ watching }) => watching ?? []);
  return all.find(({ join }) => join)?.join?.(all) ?? all[0];
}

/**
 * How many resources one reader may watch at a time.
 * @stable
 */
export const maxWatched = 1_000;

const done: Outcome = { type: "complete", result: {} };

/** What one reader watches. */
interface Watched {
  readonly end: () => void;
  /** Whether it may still hear of it. */
  readonly hears: (() => boolean) | undefined;
}

/**
 * Makes of one function what a feature set's `watching` is.
 * @param begin hears that a reader begins to watch a resource, and gives what ends that, or why it may not
 * @param hears is asked whenever a resource has changed, with the call by which its reader began to watch it: `false`
 * when the reader may no longer hear of it, as when it throws. Default: it may
 * @see MCP 2025-11-25, server/resources, subscriptions
 * @experimental
 */
export function watching(
  begin: (uri: string, call: Call) => (() => void) | Refused,
  hears?: ((uri: string, call: Call) => boolean) | undefined,
): Watching {
  return {
    join: watchAll,
    open(changes, tell) {
      const watched = new Map<string, Watched>();
      const changed = new Set<string>();
      /** How many tellings the reader has not taken yet. */
      let untaken = 0;
      const stop = changes.subscribe((change) => {
        if (!isWatched(change, watched)) return;
        if (changed.size === 0 && untaken === 0) queueMicrotask(flush);
        changed.add(change.uri);
      });

      function flush(): void {
        const uris = [...changed].filter((uri) => isHeard(watched.get(uri)));
        changed.clear();
        untaken = uris.length;
        // a reader that can no longer be told is about to be closed
        for (const uri of uris) tell(uri).then(taken, taken);
      }

      function taken(): void {
        untaken -= 1;
        if (untaken === 0 && changed.size > 0) flush();
      }

      return {
        add(call, uri = call.params["uri"]) {
          if (typeof uri !== "string") return refuse(`uri must be a string, got ${excerpt(uri)}`);
          if (watched.has(uri)) return done;
          if (watched.size >= maxWatched)
            return refuse(`no more than ${maxWatched} resources may be watched at a time`);
          const begun = begin(uri, call);
          if (typeof begun !== "function") return begun;
          watched.set(uri, { end: begun, hears: hears && (() => hears(uri, call)) });
          return done;
        },
        delete(call, uri = call.params["uri"]) {
          if (typeof uri !== "string") return refuse(`uri must be a string, got ${excerpt(uri)}`);
          const one = watched.get(uri);
          watched.delete(uri);
          one?.end();
          return done;
        },
        close() {
          stop();
          const all = [...watched.values()];
          watched.clear();
          changed.clear();
          for (const { end } of all) end();
        },
      };
    },
  };
}

/**
 * Several as one: a resource is watched with the first that lets it be watched.
 * @experimental
 */
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

/** Who fails to say whether it may be heard has not said so; thrown here, it would be nobody's to catch. */
function isHeard(one: Watched | undefined): boolean {
  try {
    return one !== undefined && (one.hears === undefined || one.hears());
  } catch {
    return false;
  }
}

function isWatched(
  change: Change,
  watched: ReadonlyMap<string, unknown>,
): change is Extract<Change, { readonly type: "resource" }> {
  return change.type === "resource" && watched.has(change.uri);
}

function refuse(message: string): Refused {
  return { type: "refused", reason: "invalid_params", message };
}
