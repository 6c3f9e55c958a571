import { until } from "./abort.js";

/** Waits, and holds the process open meanwhile. Rejects with the signal's reason when that aborts. */
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
