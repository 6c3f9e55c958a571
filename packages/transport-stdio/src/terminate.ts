import type { ProcessGroup } from "./process-group.js";

/** How long each step of an end may take. */
export interface Patience {
  readonly terminateAfterMs: number;
  readonly killAfterMs: number;
}

/** After SIGKILL only the operating system is waited for. */
const reapMs = 1_000;

/**
 * Ends a group whose stdin was ended: wait, SIGTERM, wait, SIGKILL. `escalated` hears each signal that was needed.
 * @see MCP 2026-07-28, basic/transports/stdio#shutdown
 */
export async function terminate(
  group: ProcessGroup,
  { terminateAfterMs, killAfterMs }: Patience,
  escalated: (signal: "SIGTERM" | "SIGKILL") => void,
): Promise<void> {
  if (await group.gone(terminateAfterMs)) return;
  group.signal("SIGTERM");
  escalated("SIGTERM");
  if (await group.gone(killAfterMs)) return;
  group.signal("SIGKILL");
  escalated("SIGKILL");
  await group.gone(reapMs);
}
