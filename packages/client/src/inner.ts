import type { JsonObject, RpcNotification } from "@parlance/jsonrpc";
import type {
  CallOptions,
  CallResult,
  CallToolResult,
  ListenEvent,
  Session,
  ToolDefinition,
} from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import type { Negotiation } from "./negotiation.js";
import type { Keep, Upkeep } from "./upkeep.js";
import type { NextRound, RequestOptions, WaitingDefaults } from "./waiting.js";

/** Where the functions that take a client find what they need of it; the same in every copy of this package. */
export const inner: unique symbol = Symbol.for("parlance.client");

/**
 * Sends one message of a request, and the next for each round of questions.
 * @experimental
 */
export type Send = (
  session: Session,
  method: string,
  params: JsonObject,
  options: CallOptions & NextRound & Pick<RequestOptions, "cache" | "rerun">,
) => Promise<CallResult>;

/**
 * The result that a request came to.
 * @throws LocalError `BAD_REPLY` or `UNSUPPORTED` when it is of a type that the client does not take
 * @experimental
 */
export type ResultOf = (method: string, answer: CallResult) => JsonObject;

/**
 * Makes what makes of a tool's answer what its caller gets. When it throws, the tool is not called.
 * @experimental
 */
export type ReaderOf = (
  client: Client,
  name: string,
  options: RequestOptions,
) => (answer: CallResult) => CallToolResult | Promise<CallToolResult>;

/**
 * A client that is being made.
 * @experimental
 */
export interface Making extends Negotiation, WaitingDefaults {
  /** Those who hear every notification that belongs to no call. */
  readonly hearing: Set<(message: RpcNotification) => void>;
  /** Those who hear what is heard by listening. */
  readonly told: Set<(event: ListenEvent) => void>;
  /** Those who hear what tools the server has, each time that all of them were listed. */
  readonly learning: Set<(tools: readonly ToolDefinition[]) => void>;
  send: Send;
  resultOf: ResultOf;
  readerOf: ReaderOf;
  keep: Keep;
}

/**
 * What a client can do besides what all can: puts its own around what a client is made of, before the server is dialed.
 * @experimental
 */
export type ClientPart = (client: Making) => void;

/** What a client is made of. */
export interface Inner extends Making {
  readonly upkeep: Upkeep;
}
