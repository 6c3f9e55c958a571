/** Calls `abort` with the reason of `signal` once that aborts, at once if it has. @returns what ends the listening */
export function follow(signal: AbortSignal | undefined, abort: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    abort(signal.reason);
    return () => {};
  }
  const listener = (): void => abort(signal.reason);
  signal.addEventListener("abort", listener);
  return () => signal.removeEventListener("abort", listener);
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
