import type { Ask, Handler, JsonObject, Peer } from "@parlance/jsonrpc";
import type { Call, Calls } from "./calls.js";
import type { Endpoint } from "./endpoint.js";
import type { HttpClientReport } from "./report.js";

/** What a way of speaking works with. */
export interface Surroundings {
  readonly endpoint: Endpoint;
  readonly handler: Handler;
  readonly calls: Calls;
  readonly closed: AbortSignal;
  readonly maxMessageBytes: number;
  readonly standaloneStream: boolean;
  readonly report: (report: HttpClientReport) => void;
  /** Says that what the server says by itself may have been missed. */
  readonly missed: () => void;
  /** Says that nothing can be sent any more. */
  readonly lose: (reason: unknown) => void;
}

/** One way of speaking the protocol over HTTP, seen from a client. */
export interface Speech {
  /** Whether a message is sent in this way. */
  claims(method: string, params: JsonObject): boolean;
  /** Sends a request, and what else it takes to have it answered. */
  readonly ask: Ask;
  notify(method: string, params: JsonObject): Promise<void>;
  readonly agreed?: Peer["agreed"];
  /** Ends what it opened. */
  close?(): Promise<void>;
}

/** A way that is taken when no other leads to the server. */
export interface FallbackSpeech extends Speech {
  /** Opens it with the handshake that was refused. @throws the refusal, when it does not say that this may help */
  open(call: Call, params: JsonObject, refusal: unknown): Promise<void>;
}

/** Makes a way of speaking for one connection. */
export type Way = (around: Surroundings, fallback: FallbackSpeech | undefined) => Speech;
