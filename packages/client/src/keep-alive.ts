import { RpcError } from "@parlance/jsonrpc";
import { letExit, longestTimerMs } from "@parlance/jsonrpc/timer";
import type { Client } from "./client.js";
import { inner } from "./inner.js";
import { check, checkMs } from "./option.js";

/**
 * How often a server is asked for a sign of life.
 * @stable
 */
export interface KeepAliveOptions {
  /** The time from a ping's answer to the next ping, in milliseconds. Default 30,000. */
  readonly everyMs?: number | undefined;
  /** How long an answer may take, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** After so many pings in a row without an answer the connection counts as dead and is closed. Default 3. */
  readonly maxMissed?: number | undefined;
}

const defaultEveryMs = 30_000;
const defaultTimeoutMs = 10_000;
const defaultMaxMissed = 3;

/**
 * Asks a server for a sign of life again and again, so that a connection that died in silence is noticed. Pings that were
 * not answered go to the client's `report`; after too many in a row the connection is closed: what waits on it rejects
 * with `CLOSED`, and a client with `restart` opens another when it is next needed. It keeps no process alive.
 * @returns what ends it; so does closing the client
 * @throws LocalError `INVALID_ARGUMENT`
 * @see MCP 2025-11-25, basic/utilities/ping
 * @stable
 */
export function keepAlive(client: Client, options: KeepAliveOptions = {}): () => void {
  const { everyMs = defaultEveryMs, timeoutMs = defaultTimeoutMs, maxMissed = defaultMaxMissed } = options;
  check("everyMs", everyMs, everyMs > 0, "more than 0 milliseconds");
  checkMs("timeoutMs", timeoutMs);
  check("maxMissed", maxMissed, maxMissed >= 1, "1 or more");
  const { upkeep, report, closing } = client[inner];
  const ending = new AbortController();
  let missed = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    closing.delete(stop);
    ending.abort();
    clearTimeout(timer);
  }

  function next(): void {
    if (ending.signal.aborted) return;
    timer = setTimeout(ping, Math.min(everyMs, longestTimerMs));
    letExit(timer);
  }

  function ping(): void {
    // who is gone already is not asked: that is noticed, and a ping would start it again
    const { peer } = upkeep.live;
    if (peer.closed.aborted) {
      next();
      return;
    }
    void client
      .ping({ timeoutMs, signal: ending.signal })
      .then(
        () => {
          missed = 0;
        },
        (error: unknown) => {
          // whatever it is, it is an answer
          if (error instanceof RpcError) missed = 0;
          else if (!ending.signal.aborted) miss(error, () => peer.close());
        },
      )
      .then(next);
  }

  function miss(error: unknown, close: () => Promise<void>): void {
    missed++;
    report({ kind: "ping_missed", error, missed });
    if (missed < maxMissed) return;
    missed = 0;
    void close(); // never rejects
  }

  closing.add(stop);
  next();
  return stop;
}
