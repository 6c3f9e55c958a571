import { type AccessError, LocalError, type Principal } from "@parlance/jsonrpc";
import type { HttpRequest } from "./http.js";

/**
 * The answer to a caller who may not: a status and, for 401 and 403, what `WWW-Authenticate` says.
 * @see RFC 9110, section 11.6.1 · RFC 6750, section 3
 * @stable
 */
export interface Challenge {
  readonly status: 401 | 403 | 429;
  readonly headers: Readonly<Record<string, string>>;
  /** Said in the body. */
  readonly message?: string | undefined;
}

/**
 * Decides who is calling. Any async function of this shape will do; `challenge` words later refusals for want of scope or patience.
 * @stable
 */
export interface Guard {
  (request: HttpRequest): Promise<Principal | Challenge>;
  readonly challenge?: ((error: AccessError) => Challenge) | undefined;
}

/**
 * States that nobody is asked who they are.
 * @stable
 */
export interface Anonymous {
  readonly type: "anonymous";
  /** `true`: it is meant to be reachable from other machines. */
  readonly public: boolean;
}

/**
 * Lets everybody call. Refused for hosts other than loopback unless `{ public: true }` says that this is meant.
 * @stable
 */
export function anonymous(options: { readonly public?: boolean | undefined } = {}): Anonymous {
  return { type: "anonymous", public: options.public === true };
}

/**
 * How `bearer` asks for and checks tokens.
 * @stable
 */
export interface BearerOptions {
  /** Finds out whose token it is; nothing returned or an error thrown: the token is not valid. */
  verify(token: string, request: HttpRequest): Principal | undefined | Promise<Principal | undefined>;
  /** Scopes that every caller needs. Default: none. */
  readonly scopes?: readonly string[] | undefined;
  /** The URL of the protected resource metadata, sent with every challenge. */
  readonly resourceMetadata?: string | undefined;
  /** Hears why `verify` threw; the caller is only told that the token is not valid. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The clock, in milliseconds. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/;

const quoted = (text: string): string => `"${text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "")}"`;

function wwwAuthenticate(options: BearerOptions, parts: readonly (readonly [string, string])[]): string {
  const all = [...parts];
  if (options.scopes?.length) all.push(["scope", options.scopes.join(" ")]);
  if (options.resourceMetadata !== undefined) all.push(["resource_metadata", options.resourceMetadata]);
  const first = new Map<string, string>();
  for (const [name, value] of all) if (!first.has(name)) first.set(name, value);
  return first.size === 0
    ? "Bearer"
    : `Bearer ${[...first].map(([name, value]) => `${name}=${quoted(value)}`).join(", ")}`;
}

/**
 * A guard for `Authorization: Bearer` tokens.
 * 401 without a valid, unexpired token; 403 when a scope is missing.
 * @see RFC 6750
 * @stable
 */
export function bearer(options: BearerOptions): Guard {
  const now = options.now ?? Date.now;
  const challenge = (status: 401 | 403, message: string, parts: readonly (readonly [string, string])[]): Challenge => ({
    status,
    headers: { "www-authenticate": wwwAuthenticate(options, parts) },
    message,
  });
  const invalid = (message: string): Challenge =>
    challenge(401, message, [
      ["error", "invalid_token"],
      ["error_description", message],
    ]);

  async function guard(request: HttpRequest): Promise<Principal | Challenge> {
    const header = request.headers.get("authorization");
    if (header === null) return challenge(401, "A bearer token is needed", []);
    const token = /^bearer +(.*)$/i.exec(header.trim())?.[1];
    if (token === undefined || !bearerToken.test(token)) return invalid("Authorization is not `Bearer` and one token");
    let principal: Principal | undefined;
    try {
      principal = await options.verify(token, request);
    } catch (error) {
      options.onError?.(error);
    }
    if (principal === undefined) return invalid("The token is not valid here");
    if (principal.expiresAtMs !== undefined && principal.expiresAtMs <= now()) return invalid("The token has expired");
    const held = principal.scopes;
    const missing = (options.scopes ?? []).filter((scope) => !held.includes(scope));
    if (missing.length > 0) {
      return challenge(403, `The token lacks the scope ${missing.join(" ")}`, [["error", "insufficient_scope"]]);
    }
    return principal;
  }

  return Object.assign(guard, { challenge: (error: AccessError): Challenge => accessChallenge(error, options) });
}

function accessChallenge(error: AccessError, options: BearerOptions): Challenge {
  if (error.code === "RATE_LIMITED") return rateChallenge(error);
  return {
    status: 403,
    headers: {
      "www-authenticate": wwwAuthenticate(options, [
        ["error", "insufficient_scope"],
        ["scope", error.scopes.join(" ")],
      ]),
    },
    message: error.message,
  };
}

/** What a refusal becomes where the guard has no words of its own. */
export function plainChallenge(error: AccessError): Challenge {
  return error.code === "RATE_LIMITED" ? rateChallenge(error) : { status: 403, headers: {}, message: error.message };
}

function rateChallenge(error: AccessError): Challenge {
  const seconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 1000) / 1000));
  return { status: 429, headers: { "retry-after": String(seconds) }, message: error.message };
}

/**
 * A guard for a fixed set of tokens, compared in constant time.
 * @param tokens whose token is whose
 * @throws LocalError `INVALID_ARGUMENT` when a token is empty or cannot stand in a header
 * @stable
 */
export function staticTokens(
  tokens: Readonly<Record<string, Principal>>,
  options: Omit<BearerOptions, "verify"> = {},
): Guard {
  for (const token of Object.keys(tokens)) refuseUnsendable(token);
  const known = Promise.all(
    Object.entries(tokens).map(async ([token, principal]) => ({ digest: await digest(token), principal })),
  );
  return bearer({
    ...options,
    verify: async (token) => {
      const given = await digest(token);
      // every entry is compared, so that the time taken does not tell which one matched
      return (await known).reduce<Principal | undefined>(
        (found, entry) => (same(entry.digest, given) ? entry.principal : found),
        undefined,
      );
    },
  });
}

function refuseUnsendable(token: string): void {
  if (bearerToken.test(token)) return;
  throw new LocalError(
    "INVALID_ARGUMENT",
    `A token of ${token.length} characters cannot be sent; it has letters, digits and -._~+/, and perhaps = behind them`,
  );
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}
