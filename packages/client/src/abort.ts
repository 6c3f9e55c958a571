type Follower = (reason: unknown) => void;

/** Those who follow a signal have one listener on it: more than ten, as many calls may share it, would print a warning. */
interface Followers {
  readonly all: Set<Follower>;
  handleEvent(): void;
}

const known = new WeakMap<AbortSignal, Followers>();

/** Calls `abort` with the reason of `signal` once that aborts, at once if it has. @returns what ends the listening */
export function follow(signal: AbortSignal | undefined, abort: Follower): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    abort(signal.reason);
    return () => {};
  }
  const followers = known.get(signal) ?? gather(signal);
  const { all } = followers;
  const follower: Follower = (reason) => abort(reason);
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
      for (const each of all) each(signal.reason);
    },
  };
  known.set(signal, followers);
  return followers;
}

/** Waits for a promise, but no longer than until `signal` aborts: then it rejects with the signal's reason. */
export async function until<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let unlink = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    unlink = follow(signal, reject);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    unlink();
  }
}
