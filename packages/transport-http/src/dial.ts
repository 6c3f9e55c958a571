import type { Dial } from "@parlance/jsonrpc";
import { type Fetch, fetchSender } from "./client/fetch.js";
import type { HttpClientOptions } from "./client/options.js";
import { dialWith } from "./client/peer.js";

/**
 * How a server is reached with `fetch`.
 * @stable
 */
export interface HttpOptions extends HttpClientOptions {
  /** What sends: one with a proxy, for one, or a server in this process. Default: the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/**
 * Reaches a server over HTTP, in whichever way it speaks, on any platform that has `fetch`. On Node, `http` of `./node` does
 * the same at a fraction of the cost.
 * @throws LocalError `INVALID_ARGUMENT` for a URL that is none
 * @see MCP 2026-07-28, basic/transports/streamable-http
 * @stable
 */
export function http(url: string | URL, options: HttpOptions = {}): Dial {
  // looked up when it is called, so that a replacement of the global is seen
  const { fetch = (...request: Parameters<Fetch>) => globalThis.fetch(...request) } = options;
  return dialWith(url, options, () => fetchSender(fetch));
}
