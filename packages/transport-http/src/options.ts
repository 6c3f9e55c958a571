import type { Cors } from "./cors.js";
import type { Anonymous, Guard } from "./guard.js";
import type { HttpBinding } from "./http.js";
import type { HttpReport } from "./report.js";

/**
 * How a server is put behind HTTP.
 * @stable
 */
export interface HttpHandlerOptions {
  /** Who may call: a guard such as `bearer({ verify })`, or `anonymous()`. */
  readonly auth: Guard | Anonymous;
  /** The host names the server is called by; one without a port stands for every port. Default: `localhost`, `127.0.0.1`, `[::1]`. */
  readonly hosts?: readonly string[] | undefined;
  /** Origins of pages that may call, besides those on `hosts`. */
  readonly origins?: readonly string[] | undefined;
  /** Lets pages of other origins read the answers: `cors({ origins })`. Default: off. */
  readonly cors?: Cors | undefined;
  /** Ways of speaking the protocol, the first is asked first. Default: one for each era of the server. */
  readonly bindings?: readonly HttpBinding[] | undefined;
  /** The largest body. Default 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Requests a principal may have unanswered at once; all anonymous callers count as one. Default 1,000, anonymous 10,000. */
  readonly maxRequests?: number | undefined;
  /** Streams a principal may have open at once; all anonymous callers count as one. Default 1,000, anonymous 10,000. */
  readonly maxStreams?: number | undefined;
  /** How long running calls may take when the handler closes. Default 5,000. */
  readonly drainMs?: number | undefined;
  readonly report?: ((report: HttpReport) => void) | undefined;
}
