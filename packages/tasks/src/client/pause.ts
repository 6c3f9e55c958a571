import { longestTimerMs } from "@parlance/jsonrpc/timer";

/**
 * Waits, but no longer than until `signal` aborts or it is woken.
 * @param sleeping gets what wakes it
 */
export async function pause(
  ms: number,
  signal: AbortSignal | undefined,
  sleeping: (wake: () => void) => void,
): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.min(ms, longestTimerMs));
    signal?.addEventListener("abort", wake);
    sleeping(wake);
  });
}
