import type { Handler, JsonObject, Principal } from "@parlance/jsonrpc";
import type { Asking } from "./asking.js";
import type { BusOptions } from "./bus.js";
import type { Change, ChangeBus } from "./change.js";
import type { ExtensionFacts } from "./extension.js";
import type { ClientCapabilities } from "./model/capability.js";
import type { Implementation } from "./model/implementation.js";
import type { InputRequests, InputResponses } from "./model/input.js";
import type { LogLevel } from "./model/log-level.js";
import type { Served, ServedSession, served } from "./served.js";
import type { EraName, ProtocolVersion } from "./version.js";
import type { Watching } from "./watching.js";

/**
 * Who is asking, as this call's era knows it. Nothing here may decide a security question: that is `Call.principal`.
 * @stable
 */
export interface Caller {
  readonly info?: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
}

/**
 * One call of a feature, the same in both eras. A plain object with own getters. It can ask the caller where `questions()`
 * of `@parlance/server` is among the features.
 * @stable
 */
export interface Call extends Asking {
  readonly [served]?: Served | undefined;
  readonly method: string;
  /** The parameters as they came: `_meta`, `inputResponses` and `requestState` are still in them. `{}` when absent. */
  readonly params: JsonObject;
  /** `params._meta`, `{}` when absent. */
  readonly meta: JsonObject;
  readonly version: ProtocolVersion;
  /** Aborts when the caller cancels or is gone, or the server closes. */
  readonly signal: AbortSignal;
  readonly caller: Caller;
  readonly principal?: Principal | undefined;
  /** Answers to what was asked in the round before, where `questions()` is among the features. */
  readonly inputResponses?: InputResponses | undefined;
  readonly requestState?: string | undefined;
  /**
   * Reports progress, if the caller gave a token. `done` only grows; a value that does not is dropped, and so is one that
   * another overtakes before the reader took what was told last.
   */
  progress(done: number, total?: number, message?: string): Promise<void>;
  /** Sends a log message to this caller, if it asked for this level, where `logging()` is among the features. */
  log(level: LogLevel, data: unknown, logger?: string): Promise<void>;
  /** HTTP, stateless: any header by its full name, decoded. */
  readonly header?: ((name: string) => string | undefined) | undefined;
  readonly release?: ((retryMs: number) => void) | undefined;
}

/**
 * How long and for whom a result may be kept. `ttlMs` in milliseconds, an integer ≥ 0.
 * @see MCP 2026-07-28, server/utilities/caching
 * @stable
 */
export interface CacheHint {
  readonly ttlMs: number;
  readonly scope: "public" | "private";
}

/**
 * What a feature answers. A protocol-level "no" is `refused`, not thrown.
 * @stable
 */
export type Outcome =
  | {
      readonly type: "complete";
      readonly result: JsonObject;
      /** The same frozen object until it changes: an era keeps its text. */
      readonly stable?: boolean | undefined;
      readonly cache?: CacheHint | undefined;
    }
  | {
      readonly type: "input_required";
      readonly inputRequests?: InputRequests | undefined;
      readonly requestState?: string | undefined;
    }
  | { readonly type: "extended"; readonly resultType: string; readonly result: JsonObject }
  | {
      readonly type: "refused";
      readonly reason: "invalid_params" | "not_found" | "needs_capability" | "header_mismatch";
      readonly message: string;
      readonly data?: unknown;
    };

/**
 * A feature's answer that asks the caller first.
 * @stable
 */
export type InputRequired = Extract<Outcome, { readonly type: "input_required" }>;

/**
 * A feature's protocol-level "no".
 * @stable
 */
export type Refused = Extract<Outcome, { readonly type: "refused" }>;

/**
 * Answers one method.
 * @stable
 */
export type Feature = (call: Call) => Outcome | Promise<Outcome>;

/**
 * Where an error arose that a caller was not shown.
 * @stable
 */
export interface ErrorContext {
  readonly method: string;
  /** The caller holds it: in the `data` of the error, or in the text of the result. */
  readonly correlationId: string;
  /** The name of the tool that threw it. */
  readonly tool?: string | undefined;
}

/**
 * Hears an error that was kept from a caller.
 * @stable
 */
export type OnError = (error: unknown, context: ErrorContext) => void;

/**
 * Methods that belong together, and what they let a server announce.
 * @stable
 */
export interface FeatureSet {
  /** Merged into what the server announces, in the newest revision's shape; an era drops what it does not have. */
  readonly capabilities: JsonObject;
  /**
   * What is also announced, in the same shape, to callers that can be told of changes: `{ tools: { listChanged: true } }`.
   * `announcing` or `listening()` among the features lets them be told.
   */
  readonly promises?: JsonObject | undefined;
  readonly methods: Readonly<Record<string, Feature>>;
  /** Methods by which it takes part in the protocol itself: middleware does not stand around them. One has one answer. */
  readonly protocol?: Readonly<Record<string, Feature>> | undefined;
  /** Lets the set say what changed. @returns what ends it */
  changed?(listener: (change: Change) => void): () => void;
  /** Lets the set say what it kept from a caller and answered as a result. @returns what ends it */
  failed?(listener: OnError): () => void;
  /** Stands around every feature of the server, inside its middleware, on every round of a call. */
  around?(next: Feature): Feature;
  /** Stands around every feature and the server's middleware, with the call as the era made it: it may give it members. */
  readonly outside?: ((next: Feature) => Feature) | undefined;
  /** Hears of each session that is agreed on (handshake era). */
  readonly session?: ((session: ServedSession) => void) | undefined;
  /** Makes what carries changes to callers; without it among the features there are none to tell. `announcing` brings it. */
  readonly bus?: ((options: BusOptions) => ChangeBus) | undefined;
  /** What a connection needs for a server that asks. */
  readonly asking?: Handler["asking"];
  /** Lets callers hear of single resources; `watching()` makes one. */
  readonly watching?: Watching | undefined;
  /** What `extension()` brings. */
  readonly extension?: ExtensionFacts | undefined;
  /** The eras that have it; in others it is not there. Default: all. */
  readonly eras?: readonly EraName[] | undefined;
}
