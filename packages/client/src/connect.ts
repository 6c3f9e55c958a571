import { type Dial, RpcError, type RpcNotification, rpcCodes } from "@parlance/jsonrpc";
import { alone } from "@parlance/jsonrpc/respond";
import { type ClientCapabilities, type ClientEra, clientEras, type Implementation } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import { createDeadlines } from "./deadlines.js";
import { clientDefaults } from "./defaults.js";
import { createClient } from "./engine.js";
import { type ClientPart, inner, type Making } from "./inner.js";
import { negotiate } from "./negotiation.js";
import { check } from "./option.js";
import type { ClientReport } from "./report.js";
import { readToolResult, resultOf } from "./result.js";
import { keepOne } from "./upkeep.js";

/**
 * How a client is connected.
 * @stable
 */
export interface ClientOptions {
  /** Opens the connection: `over(spawn({ command }))`, for one. */
  readonly dial: Dial;
  /** Who this client says it is. */
  readonly info: Implementation;
  /** Answers what servers ask of the user, in either era: `answers({ form, url, sample, roots })`. Default: nothing does. */
  readonly answers?: ClientPart | undefined;
  /** What the client can do for a server, besides what `answers` can. Default: nothing. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** What the client understands beyond the protocol: `extensions(tasks())`. Default: nothing. */
  readonly extensions?: ClientPart | undefined;
  /** The eras to speak, newest first; a list of one pins it. Default: both. */
  readonly eras?: readonly ClientEra[] | undefined;
  /** Remembers what was found out about servers, or knows it: `remembering(store)`. Default: nothing is. */
  readonly verdicts?: ClientPart | undefined;
  /** How long a request waits for its answer, or for progress since the last. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How long it waits in all. Default 600,000. */
  readonly maxTotalMs?: number | undefined;
  /** How long it may take to open the connection and to settle what is spoken. Default 30,000, or `timeoutMs` if that is less. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long a server may be silent on the question which era it speaks. Default 5,000. */
  readonly probeTimeoutMs?: number | undefined;
  /** Starts a server that ended again: `restarting()`. Default: what ended stays so. */
  readonly restart?: ClientPart | undefined;
  /** Checks results by the schemas that servers list: `outputSchemas(jsonSchema)`. Default: nothing is checked. */
  readonly schemas?: ClientPart | undefined;
  /** Answers again what was answered before, as long as it is fresh: `responseCache()`. Default: nothing is kept. */
  readonly cache?: ClientPart | undefined;
  /** Hears what the server says and no call asked for. */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined;
  /** Hears what no promise tells, of the connection too, unless the dial has a `report` of its own. */
  readonly report?: ((report: ClientReport) => void) | undefined;
  /** Ends the attempt to connect; has no say once the client is there. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Connects to a server, in the newest era that both speak.
 * @throws LocalError `VERSION_MISMATCH` when there is no such era, `TIMEOUT`, `CLOSED`, `INVALID_ARGUMENT`; and whatever
 * `dial` throws. Whatever was opened is closed
 * @see MCP 2026-07-28, basic/versioning
 * @stable
 */
export async function connectClient(options: ClientOptions): Promise<Client> {
  const { cache, answers, extensions, schemas, verdicts, restart, signal } = options;
  const making = begin(options);
  for (const [name, part] of Object.entries({ cache, answers, extensions, schemas, verdicts, restart })) {
    check(
      name,
      part,
      !part || typeof part === "function",
      "what a function such as answers() or responseCache() gives",
    );
    part?.(making);
  }
  const live = await negotiate(making, signal);
  return createClient(Object.assign(making, { upkeep: making.keep(making, live) }));
}

function begin(options: ClientOptions): Making {
  const {
    timeoutMs = clientDefaults.timeoutMs,
    maxTotalMs = clientDefaults.maxTotalMs,
    probeTimeoutMs = clientDefaults.probeTimeoutMs,
    connectTimeoutMs = Math.min(timeoutMs, clientDefaults.connectTimeoutMs),
    eras = clientEras(),
    dial,
    info,
    capabilities = {},
    onNotification,
  } = options;
  check("dial", dial, typeof dial === "function", "a function such as http(url) or over(spawn({ command }))");
  // a listener that throws must not end what it listens to, and there is nobody else to tell
  const report = (what: ClientReport): void => alone(() => options.report?.(what));
  const failed = (error: unknown): void => report({ kind: "callback_failed", error });
  const deadlines = createDeadlines();
  const hearing: Making["hearing"] = new Set(onNotification && [onNotification]);
  return {
    dial,
    eras,
    timeoutMs,
    maxTotalMs,
    probeTimeoutMs,
    connectTimeoutMs,
    report,
    failed,
    deadlines,
    hearing,
    told: new Set(),
    learning: new Set(),
    closing: new Set([deadlines.close]),
    self: {
      info,
      capabilities,
      answer: cannotAnswer,
      heard: (message) => {
        const { method, params } = message;
        if (method === "notifications/progress") report({ kind: "stray_progress", token: params?.["progressToken"] });
        else for (const hear of hearing) alone(() => hear(message), failed);
      },
    },
    send: (session, ...message) => session.call(...message),
    resultOf,
    readerOf: (client) => (answer) => readToolResult(client[inner].resultOf("tools/call", answer)),
    keep: keepOne,
  };
}

async function cannotAnswer(method: string): Promise<never> {
  throw new RpcError(rpcCodes.methodNotFound, `this client does not answer ${method}`);
}
