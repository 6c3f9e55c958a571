/** What a promise gives, or the reason of `signal` when that aborts first. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    const done = (): void => signal.removeEventListener("abort", abort);
    promise.then(resolve, reject).finally(done);
  });
}
