import { type Dial, type Handler, LocalError, type Peer, RpcError, unanswered } from "@parlance/jsonrpc";
import { follow } from "@parlance/jsonrpc/abort";
import type { ClientEra, ClientSelf, Session } from "@parlance/protocol-versions";
import type { ClientReport } from "./report.js";
import { Waiting, type WaitingDefaults } from "./waiting.js";

/** What remembers servers. */
export interface Memory {
  /** The eras in the order in which this server is to be asked. */
  recall(peer: Peer, eras: readonly ClientEra[]): Promise<readonly ClientEra[]>;
  /** Takes note of what was found out. */
  remember(live: Live): Promise<void>;
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

/** What a server that was dialed has to answer first. */
const openingQuestion = "the opening question";

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
  const { connectTimeoutMs: timeoutMs } = setup;
  const dialed: Peer[] = [];
  const waiting = new Waiting(openingQuestion, { signal: caller, timeoutMs }, setup);
  // an era may wait for what takes no signal, such as a pipe that nobody reads
  const givenUp = new Promise<never>((_, reject) => follow(waiting.aborted, reject));
  try {
    const live = await Promise.race([climb(setup, waiting, dialed, given), givenUp]);
    if (live.peer !== given?.peer) watch(live.peer.closed, setup);
    return live;
  } catch (error) {
    // whatever closing them says, the reason is the error
    await Promise.allSettled(dialed.map((peer) => peer.close()));
    throw error;
  } finally {
    waiting.end();
  }
}

/** Tells of the end of a connection, unless the client ends it. Of those that are over nothing is kept. */
function watch(closed: AbortSignal, { closing, report }: Negotiation): void {
  let unlink = (): void => {};
  const lost = (reason: unknown): void => {
    closing.delete(unlink);
    report({ kind: "server_lost", reason });
  };
  unlink = follow(closed, lost);
  if (!closed.aborted) closing.add(unlink);
}

/** Asks in one era after the other. */
async function climb(setup: Negotiation, waiting: Waiting, dialed: Peer[], given: Line | undefined): Promise<Live> {
  const { eras, memory, self, probeTimeoutMs: timeoutMs } = setup;
  const { aborted: signal } = waiting;
  const first = given ?? (await dialLine(setup, waiting, dialed));
  const queue = [...((await memory?.recall(first.peer, eras)) ?? eras)];
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
      line = await dialLine(setup, waiting, dialed);
    }
    const { peer, attach } = line;
    const probe = new Waiting(openingQuestion, { signal, timeoutMs }, setup);
    probe.goesTo(peer);
    const opened = await era
      .open(peer, self, { offered, signal, silence: probe.aborted, attach })
      .catch((error: unknown) => {
        throw fault ?? error;
      })
      .finally(() => probe.end());
    signal.throwIfAborted();
    if (opened.type === "session") return { ...line, session: opened.session };
    cause = opened.cause;
    offered = opened.offered ?? offered;
    const refusal = cause instanceof RpcError ? `error ${cause.code} ` : "";
    tried.push(`${era.name}: ${refusal}${cause.message}`);
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
  const known = offered ? `the server speaks only ${offered.join(", ")}` : "the server could not be spoken to";
  const message = `${known}; this client speaks ${client.join(", ")}; tried ${tried.join("; ")}`;
  return new LocalError("VERSION_MISMATCH", message, { cause, details: { server: offered ?? [], client, tried } });
}

/** Dials. An abort does not stop a dial: what it opens too late is closed. */
async function dialLine({ dial, self, report }: Negotiation, waiting: Waiting, dialed: Peer[]): Promise<Line> {
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
  waiting.goesTo(peer);
  if (waiting.aborted.aborted) await peer.close();
  waiting.aborted.throwIfAborted();
  return {
    peer,
    attach: (handler) => {
      attached = handler;
    },
  };
}
