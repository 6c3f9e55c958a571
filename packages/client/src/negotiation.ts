import { type Dial, LocalError, type LocalErrorCode, type Peer, RpcError } from "@parlance/jsonrpc";
import type { ClientEra, ClientSelf, Opened, Session } from "@parlance/protocol-versions";
import { until } from "./abort.js";
import type { Deadlines } from "./deadlines.js";
import { createLimit } from "./limit.js";
import { dialLine, type Line } from "./line.js";
import { type Attempt, negotiationError } from "./negotiation-error.js";
import type { ClientReport } from "./report.js";
import type { Remembering } from "./verdict.js";

/** What it takes to reach a server and to find out how to speak with it. */
export interface Negotiation {
  readonly dial: Dial;
  /** The one to ask in first comes first. */
  readonly eras: readonly ClientEra[];
  readonly self: ClientSelf;
  readonly memory?: Remembering | undefined;
  readonly probeTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly deadlines: Deadlines;
  /** Hears what no promise tells. */
  readonly report: (report: ClientReport) => void;
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
  const { eras, memory, connectTimeoutMs: ms } = setup;
  const dialed: Peer[] = [];
  const end = (code: LocalErrorCode, what: string): LocalError =>
    describe(dialed.at(-1) ?? given?.peer, code, what, { timeoutMs: ms });
  const limit = createLimit(setup.deadlines, caller, ms, () => end("TIMEOUT", `gave no answer within ${ms} ms`));
  const { signal } = limit;
  const asked = (method: string): void => {
    const isEcho = eras.some(({ opening }) => opening === method);
    if (isEcho) limit.abort(end("BAD_REPLY", "sends back what it is sent, as no MCP server does"));
  };
  const dial = async (): Promise<Line> => {
    const line = await dialLine(setup.dial, signal, asked, setup.report, setup.self.answering);
    dialed.push(line.peer);
    return line;
  };
  try {
    const line = given ?? (await dial());
    const queue = given || !memory ? eras : await until(memory.recall(line.peer, eras), signal);
    const live = await climb(setup, signal, queue, line, dial);
    await memory?.remember(live.peer, live.session);
    return live;
  } catch (error) {
    // whatever closing them says, the reason is the error
    await Promise.allSettled(dialed.map((peer) => peer.close()));
    throw error;
  } finally {
    limit.end();
  }
}

/** An error that names the server, where the transport can. */
function describe(peer: Peer | undefined, code: LocalErrorCode, what: string, details: object): LocalError {
  const told = peer?.describe?.(what);
  return new LocalError(code, told?.message ?? `the server ${what}`, { details: { ...told?.details, ...details } });
}

async function climb(
  setup: Negotiation,
  signal: AbortSignal,
  eras: readonly ClientEra[],
  first: Line,
  dial: () => Promise<Line>,
): Promise<Live> {
  const attempts: Attempt[] = [];
  const queue = [...eras];
  let line = first;
  let offered: readonly string[] | undefined;
  for (const era of queue) {
    // an era that has no version which the server is known to speak is not tried
    if (offered !== undefined && !era.versions.some((version) => offered?.includes(version))) continue;
    if (attempts.length > 0 && line.peer.closed.aborted) {
      if (line !== first) break;
      await line.peer.close();
      line = await dial();
    }
    const opened = await openEra(setup, signal, era, line, offered).catch((error: unknown) => {
      throw signal.aborted ? error : (serverFault(attempts) ?? error);
    });
    if (opened.type === "session") return { ...line, session: opened.session };
    const { cause } = opened;
    attempts.push({ era, cause });
    offered = opened.offered ?? offered;
    // one that nobody answered may only have been slow to start
    if (cause instanceof RpcError && era === eras.at(-1))
      queue.push(...attempts.filter(isSilence).map(({ era }) => era));
  }
  throw serverFault(attempts) ?? negotiationError(eras, attempts, offered);
}

function isSilence({ cause }: Attempt): boolean {
  return cause instanceof LocalError && cause.code !== "BAD_REPLY";
}

/** A server that failed over the first question may still know the next; if not, its failure was the answer. */
function serverFault([first]: readonly Attempt[]): Error | undefined {
  const cause = first?.cause;
  const told = cause instanceof RpcError ? cause.cause : cause;
  return told instanceof LocalError && Number(told.details["status"]) >= 500 ? cause : undefined;
}

async function openEra(
  { self, deadlines, probeTimeoutMs: ms }: Negotiation,
  signal: AbortSignal,
  era: ClientEra,
  { peer, attach }: Line,
  offered: readonly string[] | undefined,
): Promise<Opened> {
  const { name } = era;
  const what = `gave no answer within ${ms} ms when it was asked to speak ${name}`;
  const probe = createLimit(deadlines, signal, ms, () => describe(peer, "TIMEOUT", what, { era: name, timeoutMs: ms }));
  try {
    // an era may also wait for what takes no signal, such as a pipe that nobody reads
    return await until(era.open(peer, self, { offered, signal, silence: probe.signal, attach }), signal);
  } finally {
    probe.end();
  }
}
