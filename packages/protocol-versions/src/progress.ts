import type { Exchange, JsonObject } from "@parlance/jsonrpc";
import type { ProgressToken } from "./model/progress.js";
import type { Downgrade } from "./served.js";

/** How much progress may be on its way to a reader that has not taken it yet. */
const mostUntaken = 16;

const ignore = (): void => {};
const asItIs: Downgrade = (_, value) => value;

/** Tells progress that grows. Of what a reader does not take only the latest is kept. Settles when the reader took it. */
export function createProgress(
  exchange: Exchange,
  progressToken: ProgressToken,
  downgrade: Downgrade = asItIs,
): (done: number, total?: number, message?: string) => Promise<void> {
  let reached = Number.NEGATIVE_INFINITY;
  let untaken = 0;
  let latest: JsonObject | undefined;
  let told: Promise<void> = Promise.resolve();

  async function tell(params: JsonObject): Promise<void> {
    untaken += 1;
    await exchange.notify("notifications/progress", params).catch(ignore);
    untaken -= 1;
    const held = latest;
    latest = undefined;
    if (held !== undefined) await tell(held);
  }

  return (done, total, message) => {
    if (!Number.isFinite(done) || done <= reached) return Promise.resolve();
    reached = done;
    const whole = { progressToken, progress: done, total: Number.isFinite(total) ? total : undefined, message };
    const params = downgrade("ProgressNotificationParams", whole);
    if (untaken < mostUntaken) told = tell(params);
    else latest = params;
    return told;
  };
}
