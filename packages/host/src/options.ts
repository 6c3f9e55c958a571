import type { AnswerHandlers, ClientOptions } from "@parlance/client";
import type { JsonObject } from "@parlance/jsonrpc";
import type { Implementation, ToolDefinition } from "@parlance/protocol-versions";
import type { ToolCall } from "@parlance/tool-registry";
import type { HttpAuth } from "@parlance/transport-http";
import type { HttpEntry } from "./config/entry.js";
import type { Fingerprints } from "./fingerprint.js";
import type { HostReport } from "./report.js";
import type { ServerStatus } from "./status.js";

/**
 * A call of a server's tool that somebody may forbid.
 * @stable
 */
export interface ApprovalRequest {
  readonly server: string;
  /** The tool's name in the registry. */
  readonly tool: string;
  /** As the server lists it. What it says of itself, its annotations too, is a claim of the server's. */
  readonly definition: ToolDefinition;
  readonly args: JsonObject;
  readonly call: ToolCall;
}

/**
 * Decides whether a tool may run: `true`, or not; a text says why not. One that throws forbids it.
 * @stable
 */
export type Approve = (request: ApprovalRequest) => boolean | string | Promise<boolean | string>;

/**
 * What the client of a server is made of besides what its entry says.
 * @stable
 */
export type ServerClientOptions = Pick<
  ClientOptions,
  "capabilities" | "onNotification" | "probeTimeoutMs" | "maxTotalMs"
>;

/**
 * The tools that servers had when they last ran, by id: with them a lazy server is not started to learn its tools. A `Map`
 * is one.
 * @stable
 */
export interface KnownTools {
  get(server: string): readonly ToolDefinition[] | undefined;
  set(server: string, tools: readonly ToolDefinition[]): unknown;
}

/**
 * How a host treats its servers.
 * @stable
 */
export interface HostOptions {
  /** Who it says it is. Default: what the configuration says, or `parlance-host`. */
  readonly info?: Implementation | undefined;
  /** How long a server may take to start, to settle what is spoken, and to list its tools. Default 30,000. */
  readonly deadlineMs?: number | undefined;
  /** Asked before each run of a tool, whatever the tool says of itself. Default: all run. */
  readonly approve?: Approve | undefined;
  /** Answers what servers ask of the user, for all of them: each answer is told by `name` which server asks. Default: nothing does. */
  readonly answers?: AnswerHandlers | undefined;
  /** What the client of each server is made of besides. */
  readonly client?: ((server: string) => ServerClientOptions) | undefined;
  /** Where the credentials for a server over HTTP come from. Default: the headers of its entry. */
  readonly auth?: ((server: string, entry: HttpEntry) => HttpAuth | undefined) | undefined;
  /** What the tools were when they were first seen. Default: as long as the host lives. */
  readonly fingerprints?: Fingerprints | undefined;
  /** What tools lazy servers have. Default: as long as the host lives. */
  readonly knownTools?: KnownTools | undefined;
  /** Hears everything there is to say; `reportLine` makes a line of it. */
  readonly report?: ((report: HostReport) => void) | undefined;
  /** Hears the lines that somebody should see though nobody keeps a log. Default: lines on stderr. */
  readonly print?: ((line: string) => void) | undefined;
}

/**
 * How the start-up step goes.
 * @stable
 */
export interface StartOptions extends HostOptions {
  /** How many servers are started at once. Default: all. */
  readonly maxParallel?: number | undefined;
  /** Hears of each server when it is connected, or is not: its tools can be called from then on. */
  readonly onReady?: ((status: ServerStatus) => void) | undefined;
  /** Ends the step: what was started is closed. It has no say once the host is there. */
  readonly signal?: AbortSignal | undefined;
}
