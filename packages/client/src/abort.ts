type Follower = (reason: unknown) => void;

/** Those who follow a signal have one listener on it: more than ten, as many calls may share it, would print a warning. */
interface Followers extends EventListenerObject {
  readonly all: Set<Follower>;
}

const known: WeakMap<AbortSignal, Followers> = /* @__PURE__ */ new WeakMap();

/** Calls `follower` with the reason of `signal` once that aborts, at once if it has. @returns what ends that */
export function follow(signal: AbortSignal, follower: Follower): () => void {
  if (signal.aborted) follower(signal.reason);
  const followers = known.get(signal) ?? gather(signal);
  const { all } = followers;
  if (all.size === 0) signal.addEventListener("abort", followers);
  all.add(follower);
  return () => {
    all.delete(follower);
    if (all.size === 0) signal.removeEventListener("abort", followers);
  };
}

function gather(signal: AbortSignal): Followers {
  const all = new Set<Follower>();
  const followers = {
    all,
    handleEvent: () => {
      for (const follower of all) follower(signal.reason);
    },
  };
  known.set(signal, followers);
  return followers;
}

/** Waits for a promise, but no longer than until `signal` aborts: then it rejects with the signal's reason. */
export function until<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unlink = follow(signal, reject);
    // it has settled, one way or the other
    void promise.then(resolve, reject).then(unlink);
  });
}
