type Follower = (reason: unknown) => void;

/** Those who follow a signal have one listener on it: more than ten, as many calls may share it, would print a warning. */
interface Followers extends EventListenerObject {
  readonly all: Set<Follower>;
}

const known: WeakMap<AbortSignal, Followers> = /* @__PURE__ */ new WeakMap();

/**
 * Calls `follower` with the reason of `signal` once that aborts, at once if it has. However many follow one signal, it has
 * one listener of theirs.
 * @returns what ends that
 * @stable
 */
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

/**
 * Waits for a promise, but no longer than until `signal` aborts: then it rejects with the signal's reason.
 * @stable
 */
export function until<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const unlink = follow(signal, reject);
    // it has settled, one way or the other
    void promise.then(resolve, reject).then(unlink);
  });
}

/**
 * Waits so many milliseconds, and holds the process open meanwhile. Rejects with the signal's reason when that aborts.
 * @stable
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await until(over, signal);
  } finally {
    clearTimeout(timer);
  }
}
