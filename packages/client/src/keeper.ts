import { LocalError, RpcError } from "@parlance/jsonrpc";
import { pause, until } from "@parlance/jsonrpc/abort";
import { inOrder } from "./era-order.js";
import { type Live, type Negotiation, negotiate } from "./negotiation.js";
import type { Upkeep } from "./upkeep.js";
import type { Waiting } from "./waiting.js";

/** How a server that ended is started again, when the next call needs it. */
export interface Restarts {
  readonly maxTries: number;
  readonly delayMs: number;
  readonly maxDelayMs: number;
  /** Whether a request may be sent again whose answer was lost. */
  readonly mayRerun: (request: object) => boolean;
}

const noRestarts: Restarts = { maxTries: 0, delayMs: 0, maxDelayMs: 0, mayRerun: () => false };

/** Keeps a conversation going: replaces one that ended, and one that rests on a verdict that is wrong. */
export function createKeeper(setup: Negotiation, first: Live, restarts: Restarts = noRestarts): Upkeep {
  const { memory, report, failed } = setup;
  const { maxTries, delayMs, maxDelayMs, mayRerun } = restarts;
  const ending = new AbortController();
  const { signal: closed } = ending;
  let live = first;
  let tries = 0;
  let suspect = false;
  let proven = first.session.server.remembered !== true;
  let replacing: Promise<Live> | undefined;
  remember();

  /** It is no worse to speak with a server that will be asked again. */
  function remember(): void {
    void memory?.remember(live).catch(failed);
  }

  async function revive(): Promise<Live> {
    const reason: unknown = live.peer.closed.reason;
    if (tries >= maxTries) {
      if (maxTries === 0) throw reason;
      throw new LocalError("CLOSED", `the server was started ${tries} times and ended each time`, { cause: reason });
    }
    const waitMs = tries === 0 ? 0 : Math.min(maxDelayMs, delayMs * 2 ** (tries - 1));
    tries++;
    if (waitMs > 0) await pause(waitMs, closed);
    await live.peer.close();
    if (!proven) await memory?.forget(live.peer);
    const eras = proven ? inOrder(setup.eras, live.session.era) : setup.eras;
    const next = await negotiate({ ...setup, eras }, closed);
    report({ kind: "server_restarted", tries });
    return adopt(next);
  }

  async function mend(): Promise<Live> {
    const { era, version } = live.session;
    await memory?.forget(live.peer);
    const next = await negotiate(setup, closed, live);
    if (next.session.era !== era) report({ kind: "verdict_wrong", era, version });
    return adopt(next);
  }

  function adopt(next: Live): Live {
    proven = next.session.server.remembered !== true;
    suspect = false;
    live = next;
    remember();
    return live;
  }

  function ready(waiting?: Waiting): Live | Promise<Live> {
    closed.throwIfAborted();
    const lost = live.peer.closed.aborted;
    if (!lost && !suspect) return live;
    replacing ??= (lost ? revive : mend)().finally(() => {
      replacing = undefined;
    });
    return waiting ? until(replacing, waiting.aborted) : replacing;
  }

  /** @returns whether a call may have been refused because of the verdict: `ready` will find out */
  function mayBeWrong(from: Live, error: unknown): boolean {
    const silent = error instanceof LocalError && error.code === "TIMEOUT";
    const refused = error instanceof RpcError || (error instanceof LocalError && error.code === "BAD_REPLY");
    suspect ||= !proven && from === live && (silent || refused);
    // what was not answered may still be under way
    return refused && (suspect || from !== live);
  }

  return {
    get live() {
      return live;
    },
    run: async (send, waiting) => {
      const from = await ready(waiting);
      if (waiting === undefined) return send(from);
      waiting.goesTo(from.peer);
      const answer = await send(from).catch(async (error: unknown) => {
        const lost = mayRerun(waiting) && (from.peer.closed.aborted || isLost(error));
        if (!lost && !mayBeWrong(from, error)) throw error;
        const next = await ready(waiting);
        if (!lost && next.session.era === from.session.era) throw error;
        waiting.goesTo(next.peer);
        return send(next);
      });
      tries = 0;
      proven = true;
      return answer;
    },
    close: async () => {
      if (!closed.aborted) ending.abort(new LocalError("CLOSED", "the client was closed"));
      // first what is being opened: it may become the live one
      await replacing?.catch(() => {});
      await live.peer.close();
    },
  };
}

/** Whether the answer to a request is lost, though not the server: over HTTP each has a connection of its own. */
function isLost(error: unknown): boolean {
  if (!(error instanceof LocalError)) return false;
  return error.code === "CLOSED" || error.code === "UNREACHABLE" || error.details["delivered"] === true;
}
