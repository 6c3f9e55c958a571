import { answers, type Client } from "@parlance/client";
import { LocalError } from "@parlance/jsonrpc";
import { alone } from "@parlance/jsonrpc/respond";
import type { CallToolResult } from "@parlance/protocol-versions";
import { PublicError, remoteTool, type ToolRegistry } from "@parlance/tool-registry";
import type { ServerEntry } from "./config/entry.js";
import { readEntry, secretsOf } from "./config/read.js";
import { createRedaction } from "./config/redact.js";
import { hostDefaults } from "./defaults.js";
import { dialOf } from "./dial.js";
import { failureOf } from "./failure.js";
import { fingerprintOf } from "./fingerprint.js";
import { createLedger } from "./ledger.js";
import { reportLine } from "./line.js";
import { createNews } from "./news.js";
import { type Offer, offersOf, type RefusedTool } from "./offer.js";
import type { ApprovalRequest, Approve, HostOptions } from "./options.js";
import { printLine } from "./print.js";
import type { HostReport, Tell } from "./report.js";
import { createRemoteServer, type RemoteServer } from "./server.js";
import type { ServerStatus } from "./status.js";
import { unlessAborted } from "./unless.js";

/**
 * Servers whose tools are in one registry.
 * @stable
 */
export interface Host {
  /** How it stands with each server, in the order in which they came. */
  readonly servers: readonly ServerStatus[];
  server(id: string): ServerStatus | undefined;
  /** The client of a server that runs. It is another one once the server was started again. */
  client(id: string): Client | undefined;
  /**
   * Connects a server and puts its tools into the registry. A name that is taken is refused, and stays with whoever has it.
   * @throws LocalError `INVALID_ARGUMENT` when the id is in use or the entry is wrong; and what kept the server from being
   * connected: then nothing of it is left
   */
  connect(
    id: string,
    entry: ServerEntry,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ServerStatus>;
  /** Takes away the tools of a server, and no others, and ends it. @returns whether there was such a server */
  disconnect(id: string): Promise<boolean>;
  /** Disconnects all servers. Idempotent. */
  close(): Promise<void>;
}

/** A host whose names are not settled yet. */
export interface OpenHost {
  readonly host: Host;
  readonly tell: Tell;
  /** Keeps the place of a server that is still to be connected. */
  expect(id: string): void;
  settle(): void;
}

/** A server, and what the host knows of it. */
interface Member {
  readonly server: RemoteServer;
  readonly stderr: string[];
  /** Its tools that it was not asked to offer. */
  refused: readonly RefusedTool[];
}

/**
 * Makes a host for a registry. It starts nothing: `connect` does.
 * @stable
 */
export function createHost(registry: ToolRegistry, options: HostOptions = {}): Host {
  const { host, settle } = openHost(registry, options);
  settle();
  return host;
}

export function openHost(registry: ToolRegistry, options: HostOptions): OpenHost {
  const { info = { name: "parlance-host", version: "0.0.0" }, print = printLine, approve } = options;
  const { fingerprints = new Map(), knownTools = new Map() } = options;
  checkDeadline(options.deadlineMs);
  const members = new Map<string, Member>();
  const isNews = createNews();
  /** Servers that are not here any more, and still end. */
  const leaving = new Set<Promise<void>>();
  const ledger = createLedger(registry, toolOf, tell);
  let closing: Promise<void> | undefined;

  function tell(report: HostReport): void {
    if (!isNews(report)) return;
    const { line, alarm } = reportLine(report);
    // whoever listens must not change what is told
    alone(() => options.report?.(report));
    if (alarm) alone(() => print(line));
  }

  function toolOf(server: string, { name, definition }: Offer): ReturnType<typeof remoteTool> {
    const listed = name === definition.name ? definition : { ...definition, name };
    return remoteTool(listed, async (args, call) => {
      const gone = (): PublicError =>
        new PublicError(`tool "${name}" is unavailable: server "${server}" was disconnected`);
      const member = members.get(server);
      if (member === undefined) throw gone();
      if (approve !== undefined) {
        const asked = refusalOf(approve, { server, tool: name, definition, args, call });
        // whoever is asked may never answer
        const refusal = await unlessAborted(asked, member.server.ending).catch(() => {
          throw gone();
        });
        if (refusal !== undefined) return refusal;
      }
      return member.server.call(definition, args, call);
    });
  }

  async function refusalOf(ask: Approve, request: ApprovalRequest): Promise<CallToolResult | undefined> {
    const { server, tool } = request;
    let answer: boolean | string = false;
    try {
      answer = await ask(request);
    } catch (error) {
      tell({ kind: "callback_failed", server, error });
    }
    if (answer === true) return undefined;
    const why = typeof answer === "string" ? `: ${answer}` : "";
    return { content: [{ type: "text", text: `tool "${tool}" was not approved${why}` }], isError: true };
  }

  function createMember(id: string, entry: ServerEntry): Member {
    const stderr: string[] = [];
    const redact = createRedaction(secretsOf(entry));
    const leftOut = new Map<string, RefusedTool>();
    const hear = (report: Extract<HostReport, { kind: "connection" }>["report"]): void => {
      if (report.kind !== "tool_left_out") {
        tell({ kind: "connection", server: id, report });
        return;
      }
      const name = nameIn(report.tool);
      leftOut.set(name, { name, why: "invalid" });
      tell({ kind: "tool_refused", server: id, tool: name, reason: report.reason });
    };
    const dial = dialOf(entry, {
      auth: "url" in entry ? options.auth?.(id, entry) : undefined,
      heardConnection: hear,
      heardProcess: (report) => {
        if (report.kind === "signaled") return tell({ kind: "signaled", server: id, signal: report.signal });
        const line = redact(report.line);
        stderr.push(line);
        if (stderr.length > hostDefaults.stderrLines) stderr.shift();
        tell({ kind: "stderr", server: id, line });
      },
    });
    const server = createRemoteServer({
      id,
      settings: entry,
      dial,
      client: {
        ...options.client?.(id),
        answers: options.answers && answers(options.answers, { name: id }),
        info,
        report: hear,
      },
      deadlineMs: entry.deadlineMs ?? options.deadlineMs ?? hostDefaults.deadlineMs,
      remembered: knownTools.get(id),
      redact,
      tell,
      offer: (tools) => {
        knownTools.set(id, tools);
        for (const { name } of tools) leftOut.delete(name);
        const refused = [...leftOut.values()];
        leftOut.clear();
        const offers = offersOf(tools, { server: id, settings: entry, fingerprints, tell }, (tool) =>
          refused.push(tool),
        );
        member.refused = refused;
        // whoever heard that a tool changed may have disconnected the server
        if (members.get(id) !== member) return () => false;
        ledger.offer(id, offers);
        const current = new Map(offers.map(({ definition }) => [definition.name, definition]));
        return (known) => {
          const now = current.get(known.name);
          if (now === undefined || now === known || approve === undefined) return now !== undefined;
          // what was approved is what was shown
          return fingerprintOf(now) === fingerprintOf(known);
        };
      },
    });
    const member: Member = { server, stderr, refused: [] };
    return member;
  }

  function statusOf(id: string, { server, stderr, refused }: Member): ServerStatus {
    const { state, client, failure, connectMs } = server;
    const { era, version: revision, info: about, capabilities } = client?.server ?? {};
    return {
      id,
      state,
      connected: client !== undefined,
      era,
      revision,
      info: about,
      capabilities,
      connectMs,
      tools: ledger.names(id),
      refused: [...ledger.refused(id), ...refused],
      error: failure === undefined ? undefined : failureOf(failure, [...stderr]),
    };
  }

  async function connect(
    id: string,
    given: ServerEntry,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ServerStatus> {
    if (closing !== undefined) throw new LocalError("CLOSED", "the host was closed");
    const present = members.get(id);
    if (present !== undefined && (present.server.state !== "failed" || ledger.names(id).length > 0)) {
      throw new LocalError(
        "INVALID_ARGUMENT",
        `server "${id}" is connected already; disconnect it first, or use another id`,
      );
    }
    const member = createMember(id, readEntry(id, given));
    ledger.expect(id);
    members.set(id, member);
    try {
      await member.server.start(signal);
    } catch (error) {
      // one that was given up did not fail
      if (members.get(id) === member && !signal?.aborted) tell({ kind: "server_failed", server: id, error });
      throw error;
    }
    return statusOf(id, member);
  }

  async function disconnect(id: string): Promise<boolean> {
    const member = members.get(id);
    if (member === undefined) return false;
    members.delete(id);
    ledger.remove(id);
    const left = member.server.close();
    leaving.add(left);
    await left.finally(() => leaving.delete(left));
    tell({ kind: "server_disconnected", server: id });
    return true;
  }

  const host: Host = {
    get servers() {
      return [...members].map(([id, member]) => statusOf(id, member));
    },
    server: (id) => {
      const member = members.get(id);
      return member && statusOf(id, member);
    },
    client: (id) => members.get(id)?.server.client,
    connect,
    disconnect,
    close: () => {
      closing ??= Promise.all([...leaving, ...[...members.keys()].map(disconnect)]).then(() => undefined);
      return closing;
    },
  };
  return { host, tell, expect: ledger.expect, settle: ledger.settle };
}

/** The name of a tool that is not as it should be, if it has one. */
function nameIn(tool: unknown): string {
  return typeof tool === "object" && tool !== null && "name" in tool ? String(tool.name) : "";
}

function checkDeadline(deadlineMs: number | undefined): void {
  if (deadlineMs === undefined || deadlineMs >= 0) return;
  throw new LocalError("INVALID_ARGUMENT", `deadlineMs must be a time in milliseconds, 0 or more; got ${deadlineMs}`);
}
