import { follow, pause } from "@parlance/jsonrpc/abort";
import { alone } from "@parlance/jsonrpc/respond";
import type { ListenEvent, ListenFilter, Listening } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import { inner } from "./inner.js";
import { finalReason, openListening, retryAfter } from "./listen-open.js";
import { check, checkMs } from "./option.js";

/**
 * How one listens.
 * @stable
 */
export interface ListenOptions {
  /** Ends the listening. */
  readonly signal?: AbortSignal | undefined;
  /** How long a server may take to say that it will tell, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** The wait before it is listened anew, in milliseconds; it doubles while nothing comes of it. Default 500. */
  readonly delayMs?: number | undefined;
  /** The longest wait, in milliseconds, unless the server asks for more. Default 30,000. */
  readonly maxDelayMs?: number | undefined;
}

/**
 * What is heard for as long as it is not closed.
 * @stable
 */
export interface Subscription {
  /** What of the filter the server has, as it said last. */
  readonly honored: ListenFilter;
  /** Settles when it is over: closed, by this or by the client. Rejects when the server refuses to go on, or is gone for good. */
  readonly ended: Promise<void>;
  /** Settles when the server was told, where it must be. Idempotent. */
  close(): Promise<void>;
}

const defaultDelayMs = 500;
const defaultMaxDelayMs = 30_000;

/**
 * Hears of changes until it is closed: of the lists and resources that `filter` names, in either era.
 *
 * It heals itself. After a stream that broke, a session that was replaced or a server that was started again it listens
 * anew, later each time, and says `{ type: "resync" }`: changes may have been missed, so read again what you keep. A
 * process is started again only by a client with `restart`. What `on` throws goes to the client's `report`.
 * @returns once the server has said what it will tell
 * @throws RpcError what the server refuses with; LocalError `TIMEOUT`, `CLOSED`, `UNREACHABLE`, `INVALID_ARGUMENT`
 * @see MCP 2026-07-28, basic/patterns/subscriptions; MCP 2025-11-25, server/resources, subscriptions
 * @stable
 */
export async function listen(
  client: Client,
  filter: ListenFilter,
  on: (event: ListenEvent) => unknown,
  options: ListenOptions = {},
): Promise<Subscription> {
  const { signal, delayMs = defaultDelayMs, maxDelayMs = defaultMaxDelayMs } = options;
  check("on", on, typeof on === "function", "a function that hears changes");
  checkMs("delayMs", delayMs);
  checkMs("maxDelayMs", maxDelayMs);
  signal?.throwIfAborted();
  const parts = client[inner];
  const { report, told, closing } = parts;
  const ending = new AbortController();
  const close = (): void => ending.abort();
  let failures = 0;

  function take(event: ListenEvent): void {
    failures = 0;
    deliver(event);
  }

  function deliver(event: ListenEvent): void {
    for (const hear of told) hear(event);
    alone(() => on(event), parts.failed);
  }

  const order = { filter, on: take, signal: ending.signal, timeoutMs: options.timeoutMs };
  const unlink = signal && follow(signal, close);
  closing.add(close);
  const forget = (): void => {
    unlink?.();
    closing.delete(close);
  };
  let current: Listening;
  try {
    current = await openListening(parts, { ...order, again: false });
  } catch (error) {
    forget();
    throw signal?.aborted ? signal.reason : (finalReason(error) ?? error);
  }
  const ended = heal().finally(forget);
  ended.catch((error: unknown) => report({ kind: "listen_ended", error }));

  async function heal(): Promise<void> {
    for (;;) {
      const since = performance.now();
      const { cause } = await current.ended;
      // one that stays for so long is not the one that breaks at once
      if (performance.now() - since >= maxDelayMs) failures = 0;
      if (ending.signal.aborted) return;
      const next = await reopen(cause);
      if (next === undefined) return;
      current = next;
      // of our own making, so no sign that it stays
      deliver({ type: "resync" });
    }
  }

  /** @returns nothing when it was closed meanwhile */
  async function reopen(lostBy: unknown): Promise<Listening | undefined> {
    for (let cause = lostBy; ; ) {
      const retryMs = retryAfter(failures++, cause, delayMs, maxDelayMs);
      report({ kind: "listen_lost", cause, retryMs });
      await pause(retryMs, ending.signal).catch(() => {});
      if (ending.signal.aborted) return undefined;
      try {
        return await openListening(parts, { ...order, again: true });
      } catch (error) {
        if (ending.signal.aborted) return undefined;
        const reason = finalReason(error);
        if (reason !== undefined) throw reason;
        cause = error;
      }
    }
  }

  return {
    get honored() {
      return current.honored;
    },
    ended,
    close: async () => {
      close();
      await current.ended;
      await ended.catch(() => {});
    },
  };
}
