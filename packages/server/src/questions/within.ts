/** Whether what is waited for came in time. */
export async function within(
  done: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
  waitMs: number,
): Promise<boolean> {
  const over = new AbortController();
  const abort = (): void => over.abort(signal.reason);
  signal.addEventListener("abort", abort);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, waitMs, false);
    over.signal.addEventListener("abort", () => resolve(false));
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([done(over.signal).then(() => true), late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    over.abort();
  }
}
