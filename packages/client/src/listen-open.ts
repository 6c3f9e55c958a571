import { LocalError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { until } from "@parlance/jsonrpc/abort";
import { type ListenFilter, type Listening, type ListenOrder, listens } from "@parlance/protocol-versions";
import type { Inner } from "./inner.js";
import { Waiting } from "./waiting.js";

/** There is no server any more, and nobody brings it back. */
class Gone {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** What is wanted, and how long the server may take to say that it will tell. */
export interface OpenOrder extends Omit<ListenOrder, "stray"> {
  readonly timeoutMs: number | undefined;
}

/**
 * Has the server say what it will tell, and reports what of the order is not in that. The listening itself has no limit.
 * @throws `Gone`, and what the server refuses with
 */
export async function openListening(parts: Inner, { timeoutMs, ...order }: OpenOrder): Promise<Listening> {
  const { upkeep, hearing, report } = parts;
  const attempt = new AbortController();
  const abort = (): void => attempt.abort(order.signal.reason);
  order.signal.addEventListener("abort", abort);
  const waiting = new Waiting("listen", { signal: order.signal, timeoutMs }, parts);
  const hear = (listener: Parameters<typeof hearing.add>[0]): (() => void) => {
    hearing.add(listener);
    return () => void hearing.delete(listener);
  };
  const stray = (subscriptionId: unknown): void => report({ kind: "stray_change", subscriptionId });
  let reached = false;
  try {
    const opened = upkeep.run(async ({ session, peer }) => {
      peer.closed.throwIfAborted();
      reached = true;
      const open = listens[session.era];
      if (open === undefined)
        throw new LocalError("UNSUPPORTED", `there is no way to listen to a ${session.era} server`);
      return open({ session, peer, hear }, { ...order, signal: attempt.signal, stray });
    }, waiting);
    const listening = await until(opened, waiting.aborted);
    const missing = missingIn(order.filter, listening.honored);
    if (missing !== undefined) report({ kind: "listen_not_honored", missing });
    void listening.ended.then(() => order.signal.removeEventListener("abort", abort));
    return listening;
  } catch (error) {
    order.signal.removeEventListener("abort", abort);
    attempt.abort(error);
    if (!reached && error instanceof LocalError && error.code === "CLOSED") throw new Gone(error);
    throw error;
  } finally {
    waiting.end();
  }
}

/** What was asked for and is not honored. */
function missingIn(asked: ListenFilter, honored: ListenFilter): ListenFilter | undefined {
  const missing: Record<string, unknown> = {};
  for (const [key, wanted] of Object.entries(asked)) {
    const got: unknown = honored[key];
    if (Array.isArray(wanted)) {
      const left: unknown[] = wanted.filter((value) => !(Array.isArray(got) && got.includes(value)));
      if (left.length > 0) missing[key] = left;
    } else if (wanted === true && got !== true) missing[key] = true;
  }
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** The reason, where trying again cannot help; `undefined`: it may. */
export function finalReason(error: unknown): unknown {
  if (error instanceof Gone) return error.reason;
  if (error instanceof RpcError) return error.code === rpcCodes.internalError ? undefined : error;
  if (error instanceof LocalError) return passing.includes(error.code) ? undefined : error;
  return error;
}

/** What may be over the next time. */
const passing: readonly string[] = ["CLOSED", "UNREACHABLE", "TIMEOUT", "SESSION_LOST", "BAD_REPLY", "SPAWN_FAILED"];

/** The share by which a wait is shorter, so that clients that lost a server at once do not return at once. */
const jitter = 0.5;

/** How long to wait: what the server asks for at least, and longer each time. */
export function retryAfter(failures: number, cause: unknown, delayMs: number, maxDelayMs: number): number {
  const own = Math.min(maxDelayMs, delayMs * 2 ** failures) * (1 - jitter * Math.random());
  const asked = cause instanceof LocalError ? Number(cause.details["retryAfterMs"] ?? 0) : 0;
  return Math.ceil(Math.max(own, asked));
}
