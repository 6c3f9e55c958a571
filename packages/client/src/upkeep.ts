import { LocalError, RpcError } from "@parlance/jsonrpc";
import { until } from "./abort.js";
import { clientDefaults } from "./defaults.js";
import { forget, type Live, type Negotiation, negotiate } from "./negotiation.js";
import type { ClientReport } from "./report.js";

/**
 * How a server that ended is started again, when the next call needs it.
 * @stable
 */
export interface RestartOptions {
  /** How often in a row, without a call that succeeds in between. Default 5. */
  readonly maxTries?: number | undefined;
  /** The wait before the second try; it doubles from try to try. Default 250. */
  readonly delayMs?: number | undefined;
  /** The longest wait. Default 10,000. */
  readonly maxDelayMs?: number | undefined;
}

/** Keeps a conversation going: replaces one that ended, and one that rests on a verdict that is wrong. */
export interface Upkeep {
  /** The conversation as it is, alive or not. */
  readonly live: Live;
  /** @throws LocalError `CLOSED` when there is none and there will be none */
  ready(waiting?: { readonly aborted: AbortSignal }): Live | Promise<Live>;
  /** A call succeeded. */
  succeeded(): void;
  /** A call on `from` failed. @returns whether it may have been refused because of the verdict: `ready` will find out */
  failed(from: Live, error: unknown): boolean;
  close(): Promise<void>;
}

export function createUpkeep(
  setup: Negotiation,
  first: Live,
  restart: RestartOptions | false,
  report: (report: ClientReport) => void,
): Upkeep {
  const usual = clientDefaults.restart;
  const options = restart === false ? { maxTries: 0 } : restart;
  const { maxTries = usual.maxTries, delayMs = usual.delayMs, maxDelayMs = usual.maxDelayMs } = options;
  const ending = new AbortController();
  const anew: Negotiation = { ...setup, verdict: undefined };
  let live = first;
  let tries = 0;
  let suspect = false;
  let proven = first.session.server.remembered !== true;
  let replacing: Promise<Live> | undefined;

  watch(first);

  function watch({ peer }: Live): void {
    const lost = (): void => {
      if (!ending.signal.aborted) report({ kind: "server_lost", reason: peer.closed.reason });
    };
    if (peer.closed.aborted) lost();
    else peer.closed.addEventListener("abort", lost, { once: true });
  }

  function replace(how: () => Promise<Live>): Promise<Live> {
    replacing ??= how().finally(() => {
      replacing = undefined;
    });
    return replacing;
  }

  async function revive(): Promise<Live> {
    const reason: unknown = live.peer.closed.reason;
    if (tries >= maxTries) {
      if (maxTries === 0) throw reason;
      throw new LocalError("CLOSED", `the server was started ${tries} times and ended each time`, { cause: reason });
    }
    const waitMs = tries === 0 ? 0 : Math.min(maxDelayMs, delayMs * 2 ** (tries - 1));
    tries++;
    if (waitMs > 0) await pause(waitMs);
    await live.peer.close();
    if (!proven) await forget(setup, live.peer);
    const next = await negotiate(anew, ending.signal, proven ? { first: live.session.era } : {});
    report({ kind: "server_restarted", tries });
    return adopt(next);
  }

  /** Holds the process open: a call waits for a server, and there is none that would. */
  async function pause(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    try {
      await until(over, ending.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async function mend(): Promise<Live> {
    const { era, version } = live.session;
    await forget(setup, live.peer);
    const next = await negotiate(anew, ending.signal, { line: live });
    if (next.session.era !== era) report({ kind: "verdict_wrong", era, version });
    return adopt(next);
  }

  function adopt(next: Live): Live {
    if (next.peer !== live.peer) watch(next);
    proven = next.session.server.remembered !== true;
    suspect = false;
    live = next;
    return live;
  }

  return {
    get live() {
      return live;
    },
    ready: (waiting) => {
      ending.signal.throwIfAborted();
      const lost = live.peer.closed.aborted;
      if (!lost && !suspect) return live;
      return until(replace(lost ? revive : mend), waiting?.aborted);
    },
    succeeded: () => {
      tries = 0;
      proven = true;
    },
    failed: (from, error) => {
      const silent = error instanceof LocalError && error.code === "TIMEOUT";
      const refused = error instanceof RpcError || (error instanceof LocalError && error.code === "BAD_REPLY");
      suspect ||= !proven && from === live && (silent || refused);
      // what was not answered may still be under way
      return refused && (suspect || from !== live);
    },
    close: async () => {
      if (!ending.signal.aborted) ending.abort(new LocalError("CLOSED", "the client was closed"));
      // first what is being opened: it may become the live one
      await replacing?.catch(() => {});
      await live.peer.close();
      setup.deadlines.close();
    },
  };
}
