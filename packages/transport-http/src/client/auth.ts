/**
 * A request that credentials are wanted for.
 * @stable
 */
export interface AuthRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: string;
}

/**
 * What a server answered, before its body is read.
 * @stable
 */
export interface AuthResponse {
  readonly request: AuthRequest;
  readonly status: number;
  /** A header by its name, whatever its case. */
  header(name: string): string | undefined;
}

/**
 * A refusal for want of credentials: 401, or 403 with a `WWW-Authenticate` that says what would be enough.
 * @stable
 */
export interface AuthChallenge extends AuthResponse {
  /** What `headers` gave for the refused request. */
  readonly sent: Readonly<Record<string, string>>;
}

/**
 * Where credentials come from. They go to the origin that was dialed and to no other.
 * @stable
 */
export interface HttpAuth {
  /** The headers that carry the credentials; asked for each request, before it leaves. Names in lower case. */
  headers(request: AuthRequest): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Sees every answer. */
  readonly onResponse?: ((response: AuthResponse) => void) | undefined;
  /** Decides what becomes of a refused request. `"retry"`: it is sent again, with what `headers` gives then. */
  onChallenge(challenge: AuthChallenge): Promise<"retry" | "fail">;
  /** Names whose credentials they are: callers with different ones share nothing that is remembered. */
  readonly partition?: string | undefined;
}

/**
 * Sends a bearer token: always the same, or what a function gives, which is asked before each request. A refused request is
 * sent again only when the function then gives another token.
 * @stable
 */
export function bearerToken(token: string | (() => string | Promise<string>)): HttpAuth {
  if (typeof token === "string") {
    const headers = authorization(token);
    return { headers: () => headers, onChallenge: async () => "fail" };
  }
  return {
    headers: async () => authorization(await token()),
    onChallenge: async ({ sent }) => {
      const fresh = authorization(await token());
      return fresh["authorization"] === sent["authorization"] ? "fail" : "retry";
    },
  };
}

function authorization(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}
