import type { Handler, Principal } from "@parlance/jsonrpc";
import type { Incoming, Malformed } from "@parlance/jsonrpc/codec";
import type { HttpReport } from "./report.js";

/**
 * Takes the text of a streamed body.
 * @stable
 */
export interface TextWriter {
  /** Nothing returned: taken. A promise: taken, but not drained until it settles. */
  write(text: string): void | Promise<void>;
}

/**
 * An HTTP request, cut to what the protocol needs; an adapter makes one of whatever its platform has.
 * @stable
 */
export interface HttpRequest {
  readonly method: string;
  /** Absolute, or the path with its query. */
  readonly url: string;
  /** Names are compared without case; values are as they came, Latin-1. */
  readonly headers: { get(name: string): string | null };
  /** Aborts when the caller hung up. */
  readonly signal: AbortSignal;
  /** The body as a framework has already parsed it; then `readText` is not called. */
  readonly parsed?: unknown;
  /**
   * Reads the body as UTF-8.
   * @throws LocalError `FRAME_TOO_LONG` above `maxBytes`, `BAD_FRAME` when it is not UTF-8
   */
  readText(maxBytes: number): Promise<string>;
}

/**
 * An HTTP answer. A body that is a function streams: the adapter sends the head and then runs it, also when the caller is
 * already gone.
 * @stable
 */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | ((out: TextWriter) => Promise<void>) | undefined;
}

/**
 * A request past host, origin, guard, limits and parse.
 * @stable
 */
export interface HttpArrival {
  readonly request: HttpRequest;
  /** The body, read; absent for methods without a body. */
  readonly incoming?: Exclude<Incoming, Malformed> | undefined;
  readonly principal?: Principal | undefined;
  /** Whether the caller takes a JSON body, and whether it takes a stream of events. At least one holds. */
  readonly accepts: { readonly json: boolean; readonly events: boolean };
  /** Takes one of the caller's streams; a closing handler waits for it. @throws AccessError `RATE_LIMITED` @returns what gives it back, called once */
  readonly openStream: () => () => void;
  readonly report: (report: HttpReport) => void;
}

/**
 * What is put behind HTTP. One that names its eras is only spoken to in them.
 * @stable
 */
export interface HttpServed extends Handler {
  readonly eras?: readonly { readonly name: string; readonly versions: readonly string[] }[] | undefined;
}

/**
 * One way of speaking the protocol over HTTP.
 * @stable
 */
export interface HttpBinding {
  /** The era it speaks for: it is left out by default where the server does not have it. */
  readonly era?: string | undefined;
  /** The HTTP methods it serves, for 405 and `Allow`. */
  readonly methods: readonly string[];
  /** Whether the request is this binding's. Pure. */
  claims(arrival: HttpArrival): boolean;
  /** Rejects with an `AccessError` that came before the head was sent; the guard then writes the challenge. */
  answer(arrival: HttpArrival, server: HttpServed): HttpReply | Promise<HttpReply>;
  /** Called when the handler begins to close: ends the streams that belong to no request. Requests go on. */
  close?(): void;
  /** Called when it has waited long enough: cuts what is still open and forgets its sessions. */
  abort?(reason: Error): void;
}

/**
 * A server behind HTTP, for any platform.
 * @stable
 */
export interface HttpHandler {
  /** Answers one request. Never throws and never rejects. */
  answer(request: HttpRequest): HttpReply | Promise<HttpReply>;
  /** Nobody is asked who they are, and nobody said that this is meant: it may be reached from this machine only. */
  readonly loopbackOnly: boolean;
  /** New requests get 503, streams end in good order, running calls get `drainMs` and are then aborted. Idempotent. */
  close(): Promise<void>;
}
