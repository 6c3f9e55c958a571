import { type Dial, LocalError, type LocalErrorCode, type Peer, type Report, RpcError } from "@parlance/jsonrpc";
import type { ClientEra, ClientSelf, EraName, Opened, Session } from "@parlance/protocol-versions";
import { follow, until } from "./abort.js";
import type { Deadlines } from "./deadlines.js";
import { clientDefaults } from "./defaults.js";
import { dialLine, type Line } from "./line.js";
import { type Attempt, negotiationError } from "./negotiation-error.js";
import type { Verdict, VerdictStore } from "./verdict.js";

/** What it takes to reach a server and to find out how to speak with it. */
export interface Negotiation {
  readonly dial: Dial;
  /** Newest first. */
  readonly eras: readonly ClientEra[];
  readonly self: ClientSelf;
  readonly verdict?: Verdict | undefined;
  readonly verdicts?: VerdictStore | undefined;
  readonly probeTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly deadlines: Deadlines;
  /** Hears what goes wrong on the connection. */
  readonly report: (report: Report) => void;
}

/** Where a negotiation starts from. */
export interface Start {
  /** A connection to do it on, without a verdict; it stays open when nothing comes of it. */
  readonly line?: Line | undefined;
  /** The era to try first. */
  readonly first?: EraName | undefined;
}

/** A conversation with a server. */
export interface Live extends Line {
  readonly session: Session;
}

/**
 * Finds out which era a server speaks, the newest first, all on one connection and in `connectTimeoutMs`. Only a server
 * that ends while it is asked is dialed once more, to be asked in the next era. What was dialed is closed when nothing
 * comes of it.
 */
export async function negotiate(setup: Negotiation, caller: AbortSignal | undefined, start: Start = {}): Promise<Live> {
  const { connectTimeoutMs: ms, deadlines } = setup;
  const dialed: Peer[] = [];
  const ending = new AbortController();
  const { signal } = ending;
  const end = (reason: unknown): void => ending.abort(reason);
  const fail = (code: LocalErrorCode, what: string): void =>
    end(describe(dialed.at(-1) ?? start.line?.peer, code, what, { timeoutMs: ms }));
  const asked = (method: string): void => {
    const isEcho = setup.eras.some(({ opening }) => opening === method);
    if (isEcho) fail("BAD_REPLY", "sends back what it is sent, as no MCP server does");
  };
  const dial = async (): Promise<Line> => {
    const fresh = await dialLine(setup.dial, signal, asked, setup.report);
    dialed.push(fresh.peer);
    return fresh;
  };
  const limit = { at: performance.now() + ms, expire: () => fail("TIMEOUT", `gave no answer within ${ms} ms`) };
  const unlink = follow(caller, end);
  deadlines.add(limit);
  try {
    const line = start.line ?? (await dial());
    const verdict = start.line === undefined ? await until(recall(setup, line.peer), signal) : undefined;
    const eras = inOrder(setup.eras, verdict?.era ?? start.first);
    return await climb(setup, signal, eras, line, verdict, dial);
  } catch (error) {
    // whatever closing them says, the reason is the error
    await Promise.allSettled(dialed.map((peer) => peer.close()));
    throw error;
  } finally {
    unlink();
    deadlines.drop(limit);
  }
}

/** An error that names the server, where the transport can. */
function describe(
  peer: Peer | undefined,
  code: LocalErrorCode,
  what: string,
  details: Readonly<Record<string, unknown>>,
): LocalError {
  const told = peer?.describe?.(what);
  return new LocalError(code, told?.message ?? `the server ${what}`, { details: { ...told?.details, ...details } });
}

async function climb(
  setup: Negotiation,
  signal: AbortSignal,
  eras: readonly ClientEra[],
  first: Line,
  verdict: Verdict | undefined,
  dial: () => Promise<Line>,
): Promise<Live> {
  const attempts: Attempt[] = [];
  let line = first;
  let offered: readonly string[] | undefined;
  let queue = [...eras];
  for (let era = queue.shift(); era !== undefined; era = queue.shift()) {
    const known = era.name === verdict?.era ? verdict : undefined;
    const opened = await openEra(setup, signal, era, line, { offered, known }).catch((error: unknown) => {
      throw signal.aborted ? error : (serverFault(attempts) ?? error);
    });
    if (opened.type === "session") {
      await remember(setup, line.peer, opened.session);
      return { peer: line.peer, attach: line.attach, session: opened.session };
    }
    attempts.push({ era, cause: opened.cause });
    offered = opened.offered ?? offered;
    queue = remaining(queue, attempts, offered);
    if (queue.length > 0 && line.peer.closed.aborted) {
      if (line !== first) break;
      await line.peer.close();
      line = await dial();
    }
  }
  throw serverFault(attempts) ?? negotiationError(setup.eras, attempts, offered);
}

/** A server that failed over the first question may still know the next; if not, its failure was the answer. */
function serverFault([first]: readonly Attempt[]): Error | undefined {
  const cause = first?.cause;
  const told = cause instanceof RpcError ? cause.cause : cause;
  return told instanceof LocalError && Number(told.details["status"]) >= 500 ? cause : undefined;
}

function inOrder(eras: readonly ClientEra[], first: EraName | undefined): ClientEra[] {
  return [...eras].sort((a, b) => Number(b.name === first) - Number(a.name === first));
}

/**
 * What is left to try: the eras that have a version which the server is known to speak. An era that nobody answered is
 * tried again when the server turned the others down: it may only have been slow to start.
 */
function remaining(
  queue: readonly ClientEra[],
  attempts: readonly Attempt[],
  offered: readonly string[] | undefined,
): ClientEra[] {
  const possible = (era: ClientEra): boolean =>
    offered === undefined || era.versions.some((version) => offered.includes(version));
  const left = queue.filter(possible);
  if (left.length > 0 || !(attempts.at(-1)?.cause instanceof RpcError)) return left;
  return attempts
    .filter(({ era, cause }) => cause instanceof LocalError && cause.code !== "BAD_REPLY" && possible(era))
    .map(({ era }) => era)
    .filter((era) => attempts.filter((attempt) => attempt.era === era).length === 1);
}

async function openEra(
  { self, deadlines, probeTimeoutMs: ms }: Negotiation,
  signal: AbortSignal,
  era: ClientEra,
  line: Line,
  learned: { readonly offered: readonly string[] | undefined; readonly known: Verdict | undefined },
): Promise<Opened> {
  const { name } = era;
  const silence = new AbortController();
  const end = (reason: unknown): void => silence.abort(reason);
  const what = `gave no answer within ${ms} ms when it was asked to speak ${name}`;
  const probe = {
    at: performance.now() + ms,
    expire: () => end(describe(line.peer, "TIMEOUT", what, { era: name, timeoutMs: ms })),
  };
  const unlink = follow(signal, end);
  deadlines.add(probe);
  try {
    const how = { ...learned, signal, silence: silence.signal, attach: line.attach };
    // an era may also wait for what takes no signal, such as a pipe that nobody reads
    return await until(era.open(line.peer, self, how), signal);
  } finally {
    unlink();
    deadlines.drop(probe);
  }
}

async function recall({ verdict, verdicts }: Negotiation, peer: Peer): Promise<Verdict | undefined> {
  const key = keyOf(peer);
  if (verdict !== undefined || key === undefined) return verdict;
  const kept = await verdicts?.get(key);
  return kept !== undefined && isExpired(kept) ? undefined : kept;
}

async function remember({ verdicts }: Negotiation, peer: Peer, { era, version, server }: Session): Promise<void> {
  const key = keyOf(peer);
  if (key === undefined || server.remembered) return;
  await verdicts?.set(key, { era, version, server, expiresAtMs: Date.now() + clientDefaults.verdictMs });
}

function isExpired({ expiresAtMs }: Verdict): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= Date.now();
}

/** Forgets what was remembered of a server. */
export async function forget({ verdicts }: Negotiation, peer: Peer): Promise<void> {
  const key = keyOf(peer);
  if (key !== undefined) await verdicts?.delete(key);
}

function keyOf({ authority, partition }: Peer): string | undefined {
  return authority === undefined ? undefined : JSON.stringify([authority, partition]);
}
