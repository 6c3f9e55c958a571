import type { Client, ClientOptions } from "@parlance/client";
import { listTools } from "@parlance/client";
import { type Dial, type JsonObject, LocalError, RpcError } from "@parlance/jsonrpc";
import { longestTimerMs } from "@parlance/jsonrpc/timer";
import type { CallToolResult, EraName, ToolDefinition } from "@parlance/protocol-versions";
import { PublicError, type ToolCall } from "@parlance/tool-registry";
import { createBackOff, pause } from "./back-off.js";
import type { ServerSettings } from "./config/entry.js";
import { type Connected, openConnection } from "./connection.js";
import { hostDefaults } from "./defaults.js";
import { callFailure, unavailable, withoutSecrets } from "./failure.js";
import { createRefresh } from "./refresh.js";
import type { Tell } from "./report.js";

/**
 * `starting`: it is being connected for the first time · `connected` · `restarting`: it ended, and is being started again ·
 * `idle`: it runs when it is called · `failed`: it could not be connected, or ended too often · `closed`.
 * @stable
 */
export type ServerState = "starting" | "connected" | "restarting" | "idle" | "failed" | "closed";

/** One server, for as long as the host has it. */
export interface RemoteServer {
  readonly state: ServerState;
  readonly client: Client | undefined;
  /** Why it is not connected. */
  readonly failure: unknown;
  /** Aborts when it is to end for good. */
  readonly ending: AbortSignal;
  /** How long the last connect took, in milliseconds. */
  readonly connectMs: number | undefined;
  /** Connects it for the first time, or knows its tools already. @throws what kept it from that; nothing of it is left then */
  start(signal: AbortSignal | undefined): Promise<void>;
  call(tool: ToolDefinition, args: JsonObject, call: ToolCall): Promise<CallToolResult>;
  /** Ends it and everything that it started. Idempotent. */
  close(): Promise<void>;
}

/** What a server is made of. */
export interface ServerParts {
  readonly id: string;
  readonly settings: ServerSettings;
  readonly dial: Dial;
  readonly client: Omit<ClientOptions, "dial" | "eras" | "signal" | "schemas">;
  readonly deadlineMs: number;
  /** The tools that it had when it last ran. */
  readonly remembered: readonly ToolDefinition[] | undefined;
  readonly redact: (text: string) => string;
  readonly tell: Tell;
  /** Takes its tools. @returns whether a tool, as somebody knows it, may be called */
  readonly offer: (tools: readonly ToolDefinition[]) => (tool: ToolDefinition) => boolean;
}

/** Makes a server, and starts nothing. */
export function createRemoteServer(parts: ServerParts): RemoteServer {
  const { id, settings, tell } = parts;
  const idleMs = settings.idleMs ?? (settings.lazy ? 0 : undefined);
  const backOff = createBackOff(settings.restart);
  const ending = new AbortController();
  const refresh = createRefresh(listAgain, () => live !== undefined, ending.signal);
  let state: ServerState = "starting";
  let live: Connected | undefined;
  let failure: unknown;
  let connectMs: number | undefined;
  let before: EraName | undefined;
  let isOffered: (tool: ToolDefinition) => boolean = () => false;
  let opening: Promise<Connected> | undefined;
  /** What is still being ended, or brought back. */
  let settling: Promise<void> = Promise.resolve();
  let sinceMs = 0;
  let running = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;

  function open(): Promise<Connected> {
    opening ??= connect().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function connect(): Promise<Connected> {
    const startedMs = performance.now();
    const listed = refresh.begin();
    const next = await openConnection({
      ...parts,
      signal: ending.signal,
      before,
      changed: refresh.changed,
      unheard: (error) => tell({ kind: "changes_unheard", server: id, error }),
      unusable: (error) => tell({ kind: "schema_unusable", server: id, error }),
    }).catch((error: unknown) => {
      throw withoutSecrets(error, parts.redact);
    });
    // it may have been told to end in the moment in which it was there
    if (ending.signal.aborted) {
      await next.client.close();
      throw ending.signal.reason;
    }
    const { era, version } = next.client.server;
    sinceMs = performance.now();
    connectMs = Math.round(sinceMs - startedMs);
    before = era;
    failure = undefined;
    live = next;
    state = "connected";
    isOffered = parts.offer(next.tools);
    tell({ kind: "server_connected", server: id, era, version, tools: next.tools.length, ms: connectMs });
    next.closed.addEventListener("abort", () => lose(next, next.closed.reason), { once: true });
    if (next.closed.aborted) lose(next, next.closed.reason);
    else rest();
    listed();
    return next;
  }

  /** The server ended without being told to. */
  function lose(lost: Connected, cause: unknown): void {
    if (live !== lost) return;
    live = undefined;
    failure = withoutSecrets(cause, parts.redact);
    // who runs only when called is started by the next call
    state = idleMs === undefined ? "restarting" : "idle";
    tell({ kind: "server_lost", server: id, reason: failure });
    settling = state === "idle" ? lost.client.close() : revive(lost);
  }

  async function revive(lost: Connected): Promise<void> {
    await Promise.all([opening?.catch(() => undefined), lost.client.close()]);
    backOff.ran(performance.now() - sinceMs);
    while (!ending.signal.aborted) {
      const delayMs = backOff.next();
      if (delayMs === undefined) {
        state = "failed";
        tell({ kind: "server_given_up", server: id, error: failure });
        return;
      }
      tell({ kind: "server_restarting", server: id, tries: backOff.tries, delayMs });
      await pause(delayMs, ending.signal);
      try {
        if (!ending.signal.aborted) await open();
        return;
      } catch (error) {
        failure = error;
      }
    }
  }

  /** Ends it once nobody has called it for a while. */
  function rest(): void {
    clearTimeout(idleTimer);
    const resting = live;
    if (idleMs === undefined || running > 0 || resting === undefined) return;
    idleTimer = setTimeout(
      () => {
        if (live !== resting || running > 0) return;
        live = undefined;
        state = "idle";
        settling = resting.client.close().then(() => tell({ kind: "server_idle", server: id }));
      },
      Math.min(idleMs, longestTimerMs),
    );
    idleTimer.unref();
  }

  async function listAgain(): Promise<void> {
    const asked = live;
    if (asked === undefined) return;
    running++;
    try {
      const tools = await listTools(asked.client, { signal: ending.signal });
      if (live === asked) isOffered = parts.offer(tools);
    } catch (error) {
      if (live === asked) tell({ kind: "list_failed", server: id, error: withoutSecrets(error, parts.redact) });
    } finally {
      running--;
      rest();
    }
  }

  /** The server, started if it is idle. @throws PublicError at once while it is away */
  async function ready(tool: string): Promise<Connected> {
    if (live !== undefined) return live;
    if (state !== "idle") throw unavailable(id, tool, failure, state !== "restarting");
    try {
      await settling;
      return live ?? (await open());
    } catch (error) {
      failure = error;
      throw callFailure(id, tool, error);
    }
  }

  /** Over HTTP a server is gone when it does not answer any more; one call that was lost does not say that. */
  async function examine(asked: Connected): Promise<void> {
    try {
      await asked.client.ping({ timeoutMs: hostDefaults.pingMs });
    } catch (error) {
      if (error instanceof LocalError && error.code === "UNREACHABLE") lose(asked, error);
    }
  }

  async function end(): Promise<void> {
    clearTimeout(idleTimer);
    ending.abort(new LocalError("CLOSED", `server "${id}" was disconnected`));
    // what is being opened is closed by whoever opens it
    await opening?.catch(() => undefined);
    await settling;
    const last = live;
    live = undefined;
    state = "closed";
    await last?.client.close();
  }

  return {
    get state() {
      return state;
    },
    get client() {
      return live?.client;
    },
    get failure() {
      return failure;
    },
    ending: ending.signal,
    get connectMs() {
      return connectMs;
    },
    start: async (signal) => {
      if (settings.lazy && parts.remembered !== undefined) {
        isOffered = parts.offer(parts.remembered);
        state = "idle";
        return;
      }
      const abort = (): void => ending.abort(signal?.reason);
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort);
      try {
        await open();
      } catch (error) {
        failure = error;
        state = "failed";
        throw error;
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    },
    call: async (known, args, call) => {
      const tool = known.name;
      running++;
      clearTimeout(idleTimer);
      try {
        // nobody may be there any more to start it for
        call.signal.throwIfAborted();
        const asked = await ready(tool);
        call.signal.throwIfAborted();
        if (!isOffered(known)) {
          throw new PublicError(`tool "${tool}" is not offered by server "${id}" any more, or not as it was`);
        }
        const result = await ask(asked, tool, args, call);
        backOff.reset();
        return result;
      } finally {
        running--;
        rest();
      }
    },
    close: () => {
      closing ??= end();
      return closing;
    },
  };

  async function ask(asked: Connected, tool: string, args: JsonObject, call: ToolCall): Promise<CallToolResult> {
    try {
      return await asked.client.callTool(tool, args, {
        signal: call.signal,
        onProgress: (...at) => call.progress(...at),
      });
    } catch (error) {
      if (error instanceof RpcError || call.signal.aborted) throw error;
      if (error instanceof LocalError && error.code === "UNREACHABLE") void examine(asked);
      throw callFailure(id, tool, error);
    }
  }
}
