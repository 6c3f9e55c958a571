import { type Dial, type Handler, LocalError, type Peer, RpcError, unanswered } from "@parlance/jsonrpc";
import type { ClientEra, ClientSelf, Session } from "@parlance/protocol-versions";
import { follow, until } from "./abort.js";
import type { ClientReport } from "./report.js";
import { createWaiting, type Waiting, type WaitingDefaults } from "./waiting.js";

/** What remembers servers. */
export interface Memory {
  /** The eras in the order in which this server is to be asked. */
  recall(peer: Peer, eras: readonly ClientEra[]): Promise<readonly ClientEra[]>;
  /** Takes note of what was found out. */
  remember(peer: Peer, session: Session): Promise<void>;
  /** What was known turned out wrong. */
  forget(peer: Peer): Promise<void>;
}

/** What it takes to reach a server and to find out how to speak with it. */
export interface Negotiation extends WaitingDefaults {
  dial: Dial;
  /** The one to ask in first comes first. */
  readonly eras: readonly ClientEra[];
  readonly self: { -readonly [K in keyof ClientSelf]: ClientSelf[K] };
  memory?: Memory | undefined;
  readonly probeTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Hears what no promise tells. */
  readonly report: (report: ClientReport) => void;
  /** What is done first when the client is closed. */
  readonly closing: Set<() => void>;
}

/** A connection on which it may not be settled yet who answers the server. */
export interface Line {
  readonly peer: Peer;
  /** Answers the server with this from here on. */
  readonly attach: (handler: Handler) => void;
}

/** A conversation with a server. */
export interface Live extends Line {
  readonly session: Session;
}

/**
 * Finds out which era a server speaks, all on one connection and in `connectTimeoutMs`. Only a server that ends while it
 * is asked is dialed once more, to be asked in the next era. What was dialed is closed when nothing comes of it.
 * @param given a connection to do it on, without what is remembered; it stays open when nothing comes of it
 */
export async function negotiate(
  setup: Negotiation,
  caller: AbortSignal | undefined,
  given?: Line | undefined,
): Promise<Live> {
  const { connectTimeoutMs, closing, report } = setup;
  const dialed: Peer[] = [];
  const wait = limit(setup, connectTimeoutMs, caller, () => dialed.at(-1) ?? given?.peer);
  const { aborted } = wait;
  try {
    // an era may wait for what takes no signal, such as a pipe that nobody reads
    const live = await until(climb(setup, aborted, dialed, given), aborted);
    const lost = (reason: unknown): void => report({ kind: "server_lost", reason });
    if (given === undefined) closing.add(follow(live.peer.closed, lost));
    return live;
  } catch (error) {
    // whatever closing them says, the reason is the error
    await Promise.allSettled(dialed.map((peer) => peer.close()));
    throw error;
  } finally {
    wait.end();
  }
}

/** Asks in one era after the other. */
async function climb(setup: Negotiation, signal: AbortSignal, dialed: Peer[], given: Line | undefined): Promise<Live> {
  const { eras, memory, self, probeTimeoutMs } = setup;
  const first = given ?? (await dialLine(setup, signal, dialed));
  const queue = [...((given ? undefined : await memory?.recall(first.peer, eras)) ?? eras)];
  const tried: string[] = [];
  let line = first;
  let offered: readonly string[] | undefined;
  let cause: Error | undefined;
  let fault: Error | undefined;
  let silent: ClientEra | undefined;
  for (const era of queue) {
    // an era that has no version which the server is known to speak is not tried
    if (offered !== undefined && !era.versions.some((version) => offered?.includes(version))) continue;
    if (cause !== undefined && line.peer.closed.aborted) {
      if (line !== first) break;
      await line.peer.close();
      line = await dialLine(setup, signal, dialed);
    }
    const { peer, attach } = line;
    const probe = limit(setup, probeTimeoutMs, signal, () => peer);
    const opened = await era
      .open(peer, self, { offered, signal, silence: probe.aborted, attach })
      .catch((error: unknown) => {
        throw fault ?? error;
      })
      .finally(probe.end);
    signal.throwIfAborted();
    if (opened.type === "session") {
      await memory?.remember(peer, opened.session);
      return { ...line, session: opened.session };
    }
    cause = opened.cause;
    offered = opened.offered ?? offered;
    const refusal = cause instanceof RpcError ? `error ${cause.code} ` : "";
    tried.push(`${era.name} (${era.versions.join(", ")}): ${refusal}${cause.message}`);
    if (isServerFault(cause)) fault ??= cause;
    // one that nobody answered may only have been slow to start
    if (refusal && silent !== undefined) queue.push(silent);
    silent = cause instanceof LocalError && cause.code === "TIMEOUT" ? era : undefined;
  }
  throw fault ?? failure(setup, tried, offered, cause);
}

/** A server that failed over a question may still know the next; if not, its failure was the answer. */
function isServerFault(cause: Error): boolean {
  const told = cause instanceof RpcError ? cause.cause : cause;
  return told instanceof LocalError && Number(told.details["status"]) >= 500;
}

/** What nothing came of: the end of the connection, or else what was tried, with both lists where the server gave one. */
function failure(
  { eras }: Negotiation,
  tried: readonly string[],
  offered: readonly string[] | undefined,
  cause: Error | undefined,
): Error {
  if (cause instanceof LocalError && cause.code !== "BAD_REPLY") return cause;
  const client = eras.flatMap(({ versions }) => versions);
  const known = offered
    ? `the server speaks only ${offered.join(", ")}; this client speaks ${client.join(", ")}`
    : "the server could not be spoken to";
  return new LocalError("VERSION_MISMATCH", `${known}; tried ${tried.join("; ")}`, {
    cause,
    details: { server: offered ?? [], client, tried },
  });
}

/** A limit whose error names the server, where the transport can. */
function limit(
  setup: WaitingDefaults,
  ms: number,
  signal: AbortSignal | undefined,
  peer: () => Peer | undefined,
): Waiting {
  return createWaiting({ signal, timeoutMs: ms, maxTotalMs: ms }, setup, () => {
    const what = `gave no answer within ${ms} ms`;
    const told = peer()?.describe?.(what);
    const details = { ...told?.details, timeoutMs: ms };
    return new LocalError("TIMEOUT", told?.message ?? `the server ${what}`, { details });
  });
}

/** Dials. An abort does not stop a dial: what it opens too late is closed. */
async function dialLine({ dial, self, report }: Negotiation, signal: AbortSignal, dialed: Peer[]): Promise<Line> {
  // before it is settled what is spoken a response might already be wrong
  let attached: Handler = { request: () => unanswered };
  const peer = await dial(
    {
      answering: self.answering,
      request: (message, exchange) => attached.request(message, exchange),
      notification: (message, connection) => attached.notification?.(message, connection),
    },
    report,
  );
  dialed.push(peer);
  if (peer.closed === undefined) {
    throw new LocalError("INVALID_ARGUMENT", "dial made no connection; a transport needs over(transport)");
  }
  if (signal.aborted) await peer.close();
  signal.throwIfAborted();
  return {
    peer,
    attach: (handler) => {
      attached = handler;
    },
  };
}
