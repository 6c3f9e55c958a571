import { type Dial, RpcError, type RpcNotification, rpcCodes } from "@parlance/jsonrpc";
import {
  type ClientCapabilities,
  type ClientEra,
  type ClientSelf,
  clientEras,
  type Implementation,
} from "@parlance/protocol-versions";
import { alone } from "./alone.js";
import type { Answering, Answers } from "./answers/answers.js";
import type { Client } from "./client.js";
import { createDeadlines } from "./deadlines.js";
import { clientDefaults } from "./defaults.js";
import { createClient } from "./engine.js";
import type { ClientExtensions } from "./extension.js";
import { type Hearing, type ResponseCache, sendPlainly, type Told } from "./inner.js";
import { negotiate } from "./negotiation.js";
import { check, checkMs, checkSignal } from "./option.js";
import type { OutputSchemas } from "./output-schemas.js";
import type { ClientReport } from "./report.js";
import type { Restarting } from "./restart.js";
import { keepOne } from "./upkeep.js";
import type { Remembering } from "./verdict.js";

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
  readonly answers?: Answers | undefined;
  /** What the client can do for a server, besides what `answers` can. Default: nothing. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** What the client understands beyond the protocol: `extensions(tasks())`. Default: nothing. */
  readonly extensions?: ClientExtensions | undefined;
  /** The eras to speak, newest first; a list of one pins it. Default: both. */
  readonly eras?: readonly ClientEra[] | undefined;
  /** Remembers what was found out about servers, or knows it: `remembering(store)`. Default: nothing is. */
  readonly verdicts?: Remembering | undefined;
  /** How long a request waits for its answer, or for progress since the last. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How long it waits in all. Default 600,000. */
  readonly maxTotalMs?: number | undefined;
  /** How long it may take to open the connection and to settle what is spoken. Default 30 000, or `timeoutMs` if that is less. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long a server may be silent on the question which era it speaks. Default 5,000. */
  readonly probeTimeoutMs?: number | undefined;
  /** Starts a server that ended again: `restarting()`. Default: what ended stays so. */
  readonly restart?: Restarting | undefined;
  /** Checks results by the schemas that servers list: `outputSchemas(jsonSchema)`. Default: nothing is checked. */
  readonly schemas?: OutputSchemas | undefined;
  /** Answers again what was answered before, as long as it is fresh: `responseCache()`. Default: nothing is kept. */
  readonly cache?: ResponseCache | undefined;
  /** Hears what the server says and no call asked for. */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined;
  /** Hears what no promise tells, of the connection too, unless the dial has a `report` of its own. */
  readonly report?: ((report: ClientReport) => void) | undefined;
  /** Ends the attempt to connect; has no say once the client is there. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Connects to a server, in the newest era that both speak.
 * @throws LocalError `INVALID_ARGUMENT` when an option is wrong; `VERSION_MISMATCH` when there is no such era, `TIMEOUT`,
 * `CLOSED`; and whatever `dial` throws.
 * Whatever was opened is closed
 * @see MCP 2026-07-28, basic/versioning
 * @stable
 */
export async function connectClient(options: ClientOptions): Promise<Client> {
  const {
    timeoutMs = clientDefaults.timeoutMs,
    maxTotalMs = clientDefaults.maxTotalMs,
    probeTimeoutMs = clientDefaults.probeTimeoutMs,
    connectTimeoutMs = Math.min(timeoutMs, clientDefaults.connectTimeoutMs),
    eras = clientEras(),
    dial,
    verdicts: memory,
    restart,
    schemas,
    cache,
  } = options;
  checkOptions(options, eras, { timeoutMs, maxTotalMs, probeTimeoutMs, connectTimeoutMs });
  const report = quiet(options.report);
  const deadlines = createDeadlines();
  const hearing: Hearing = new Set();
  const told: Told = new Set();
  const answering = options.answers?.({ report, deadlines });
  const self = createSelf(options, answering, hearing, report);
  const setup = { dial, eras, self, memory, probeTimeoutMs, connectTimeoutMs, deadlines, report };
  try {
    const first = await negotiate(setup, options.signal);
    const keep = (restart ?? memory)?.keep ?? keepOne;
    const failed = (error: unknown): void => report({ kind: "callback_failed", error });
    const defaults = { timeoutMs, maxTotalMs, deadlines, failed };
    const { extensions } = options;
    const finish = extensions?.finish;
    const cached = cache?.(sendPlainly, hearing, first.peer, told) ?? sendPlainly;
    const send = answering?.rounds(cached) ?? cached;
    const listeners = { hearing, told, closing: new Set<never>() };
    const upkeep = keep(setup, first);
    const client = createClient({ upkeep, defaults, schemas, finish, ...listeners, report, send });
    extensions?.connected(client, self.answer);
    return client;
  } catch (error) {
    deadlines.close();
    throw error;
  }
}

function checkOptions({ dial, info, signal }: ClientOptions, eras: readonly ClientEra[], times: object): void {
  check("dial", dial, typeof dial === "function", "a function such as over(spawn({ command }))");
  const { name, version } = info ?? {};
  check("info", info, typeof name === "string" && typeof version === "string", "{ name, version }");
  const areEras = Array.isArray(eras) && eras.length > 0 && eras.every((era) => typeof era?.open === "function");
  check("eras", eras, areEras, "a list of stateless() and handshake()");
  for (const [option, value] of Object.entries(times)) checkMs(option, value);
  checkSignal(signal);
}

function createSelf(
  options: ClientOptions,
  answering: Answering | undefined,
  hearing: Hearing,
  report: (report: ClientReport) => void,
): ClientSelf {
  const { info, extensions } = options;
  const failed = (error: unknown): void => report({ kind: "callback_failed", error });
  if (options.onNotification !== undefined) hearing.add(options.onNotification);
  const capabilities = { ...answering?.capabilities, ...options.capabilities };
  return {
    info,
    capabilities: extensions?.declare(capabilities) ?? capabilities,
    resultTypes: extensions?.resultTypes,
    answer: cannotAnswer,
    ...answering?.self,
    heard: (message) => {
      if (message.method === "notifications/progress") {
        report({ kind: "stray_progress", token: message.params?.["progressToken"] });
        return;
      }
      for (const hear of hearing) alone(() => hear(message), failed);
    },
    report,
  };
}

async function cannotAnswer(method: string): Promise<never> {
  throw new RpcError(rpcCodes.methodNotFound, `this client does not answer ${method}`);
}

/** A listener that throws must not end what it listens to. */
function quiet(report: ((report: ClientReport) => void) | undefined): (report: ClientReport) => void {
  // there is nobody to tell
  return (what) => alone(() => report?.(what), ignore);
}

function ignore(): void {}
