import type { HttpAuth } from "./auth.js";
import type { HttpClientReport } from "./report.js";
import type { FallbackSpeech, Surroundings } from "./speech.js";

/**
 * How a server is reached over HTTP, on any platform.
 * @stable
 */
export interface HttpClientOptions {
  /** Headers for every request; the protocol's own cannot be replaced. For credentials, see `auth`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where credentials come from: `bearerToken(token)`, for one. Default: none are sent. */
  readonly auth?: HttpAuth | undefined;
  /** The longest answer and the longest event of a stream. Default 16 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /**
   * Whether a session opens a stream for what the server says by itself. A server that has none is not asked twice.
   * Default `true`.
   */
  readonly standaloneStream?: boolean | undefined;
  /** What is tried when the server speaks no Streamable HTTP: `sseTransport()`. Default: nothing. */
  readonly fallback?: HttpFallback | undefined;
  /** Hears what goes wrong and no promise tells. What it throws is ignored. */
  readonly report?: ((report: HttpClientReport) => void) | undefined;
}

/**
 * An older way over HTTP, for servers that do not know the newer one.
 * @stable
 */
export interface HttpFallback {
  /** Makes it ready for one connection; nothing is sent until it is needed. */
  readonly prepare: (around: Surroundings) => FallbackSpeech;
}

/**
 * What a client over HTTP does unless it is told otherwise.
 * @stable
 */
export const httpClientDefaults: {
  /** The longest answer and the longest event. */
  readonly maxMessageBytes: number;
  /** The shortest wait before a stream is opened again, whatever the server asks for. */
  readonly minReconnectMs: number;
  /** The wait before a stream is opened again when the server names none; it doubles while nothing comes of it. */
  readonly reconnectMs: number;
  /** The longest wait, unless the server asks for more. */
  readonly maxReconnectMs: number;
  /** How often a stream with an answer to come is resumed in a row without anything new. */
  readonly maxResumptions: number;
  /** How long closing waits for the server to take note. */
  readonly closeMs: number;
  /** How long a server of HTTP+SSE may take to say where messages go. */
  readonly endpointMs: number;
} = {
  maxMessageBytes: 16 * 1024 * 1024,
  minReconnectMs: 10,
  reconnectMs: 1_000,
  maxReconnectMs: 30_000,
  maxResumptions: 8,
  closeMs: 500,
  endpointMs: 10_000,
};
