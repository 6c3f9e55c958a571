import { longestTimerMs } from "@parlance/jsonrpc/timer";

/** Waits for `done`, but no longer than `ms`. The timer keeps no process: what is waited for does. */
export async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, longestTimerMs)).unref();
  });
  try {
    await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
