import { LocalError } from "@parlance/jsonrpc";
import type { HttpReply, HttpRequest } from "./http.js";

/**
 * Which pages in a browser may call.
 * @stable
 */
export interface CorsOptions {
  /** Origins as browsers send them: scheme, host and port, no path. */
  readonly origins: readonly string[];
  /** Further request headers to allow, such as `Mcp-Param-Region`; those of the protocol always are. */
  readonly headers?: readonly string[] | undefined;
  /** How long a browser may remember the preflight, in seconds. Default 600. */
  readonly maxAgeSeconds?: number | undefined;
}

const requestHeaders =
  "authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name";
const exposedHeaders = "mcp-session-id, www-authenticate";
const defaultMaxAgeSeconds = 600;

/**
 * Rules by which pages of other origins may call: made by `cors`.
 * @stable
 */
export interface Cors {
  readonly origins: readonly string[];
  /** The answer to a preflight, or nothing when it is none. */
  preflight(request: HttpRequest, methods: string): HttpReply | undefined;
  /** The same answer with what lets the page read it. */
  open(request: HttpRequest, reply: HttpReply): HttpReply;
}

/**
 * Lets pages of these origins call, and read the answers: `createHttpHandler(server, { cors: cors({ origins }) })`.
 * @throws LocalError `INVALID_ARGUMENT` for an origin that no browser sends
 * @stable
 */
export function cors(options: CorsOptions): Cors {
  for (const origin of options.origins) {
    if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(origin)) {
      throw new LocalError(
        "INVALID_ARGUMENT",
        `cors.origins has ${JSON.stringify(origin)}; an origin is a scheme, a host and a port in lower case, such as "https://app.example.com"`,
      );
    }
  }
  const allowedHeaders = [requestHeaders, ...(options.headers ?? [])].join(", ").toLowerCase();
  const maxAge = String(options.maxAgeSeconds ?? defaultMaxAgeSeconds);
  const isOurs = (request: HttpRequest): string | undefined => {
    const origin = request.headers.get("origin");
    return origin !== null && options.origins.includes(origin) ? origin : undefined;
  };
  return {
    origins: options.origins,
    preflight: (request, methods) => {
      if (request.method !== "OPTIONS" || request.headers.get("access-control-request-method") === null)
        return undefined;
      if (isOurs(request) === undefined) return undefined;
      return {
        status: 204,
        headers: {
          "access-control-allow-methods": methods,
          "access-control-allow-headers": allowedHeaders,
          "access-control-max-age": maxAge,
        },
      };
    },
    open: (request, reply) => {
      const origin = isOurs(request);
      // the answer depends on who asks, also when the origin is not ours
      if (origin === undefined) return { ...reply, headers: { ...reply.headers, vary: "Origin" } };
      return {
        ...reply,
        headers: {
          ...reply.headers,
          vary: "Origin",
          "access-control-allow-origin": origin,
          "access-control-expose-headers": exposedHeaders,
        },
      };
    },
  };
}
