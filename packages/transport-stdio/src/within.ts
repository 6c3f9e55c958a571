/** Waits for `done`, but no longer than `ms`. The timer keeps no process: what is waited for does. */
export function within(ms: number, done: Promise<unknown>): Promise<unknown> {
  return Promise.race([done, new Promise((resolve) => setTimeout(resolve, ms).unref())]);
}
