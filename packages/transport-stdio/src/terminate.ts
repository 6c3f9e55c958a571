import type { ProcessGroup } from "./process-group.js";

/** After SIGKILL only the operating system is waited for. */
const reapMs = 1_000;

/**
 * Ends a group whose stdin was ended: wait, SIGTERM, wait, SIGKILL.
 * @see MCP 2026-07-28, basic/transports/stdio#shutdown
 */
export async function terminate(group: ProcessGroup, terminateAfterMs: number, killAfterMs: number): Promise<void> {
  const steps = [
    [terminateAfterMs, "SIGTERM"],
    [killAfterMs, "SIGKILL"],
  ] as const;
  for (const [ms, signal] of steps) {
    if (await group.gone(ms)) return;
    group.signal(signal);
  }
  await group.gone(reapMs);
}
