import type { ClientPart, Making } from "./inner.js";
import { createKeeper } from "./keeper.js";
import { toolHints } from "./tools.js";

/**
 * How a server that ended is started again, when the next call needs it.
 * @stable
 */
export interface RestartOptions {
  /** How often in a row, without a call that succeeds in between. Default 5. */
  readonly maxTries?: number | undefined;
  /** The wait before the second try, in milliseconds; it doubles from try to try. Default 250. */
  readonly delayMs?: number | undefined;
  /** The longest wait, in milliseconds. Default 10,000. */
  readonly maxDelayMs?: number | undefined;
}

const defaultMaxTries = 5;
const defaultDelayMs = 250;
const defaultMaxDelayMs = 10_000;

/**
 * Starts a server that ended again, when the next call needs it: `connectClient({ restart: restarting(), … })`. It also
 * lets a call be made again whose answer was lost, where its caller allows that by `rerun`.
 * @see MCP 2026-07-28, basic/transports/stdio
 * @stable
 */
export function restarting(options: RestartOptions = {}): ClientPart {
  const { maxTries = defaultMaxTries, delayMs = defaultDelayMs, maxDelayMs = defaultMaxDelayMs } = options;
  return (client) => {
    const mayRerun = watchReruns(client);
    client.keep = (setup, first) => createKeeper(setup, first, { maxTries, delayMs, maxDelayMs, mayRerun });
  };
}

/** Knows which requests may be sent again whose answer was lost: calls that allow it, of tools that bear it. */
function watchReruns(client: Making): (request: object) => boolean {
  const { send } = client;
  const reruns = new WeakSet<object>();
  let repeatable: ReadonlySet<unknown> = new Set();
  client.learning.add((tools) => {
    repeatable = new Set(tools.filter((tool) => toolHints(tool).idempotent).map(({ name }) => name));
  });
  client.send = (session, method, params, request) => {
    if (method === "tools/call" && request.rerun && repeatable.has(params["name"])) reruns.add(request);
    return send(session, method, params, request);
  };
  return (request) => reruns.has(request);
}
