import { LocalError } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import { areSendable } from "../reply.js";
import type { AuthRequest, AuthResponse, HttpAuth } from "./auth.js";
import { drain } from "./drain.js";
import type { HttpSender, IncomingReply, OutgoingRequest, Sending } from "./wire.js";

/** How often in a row one request is sent again because its redirect says so. */
const maxRedirects = 5;
/** How often one request is sent again with other credentials: a first login, and more rights. */
const maxChallenges = 2;

/** The requests to one server: with the caller's headers and credentials, and redirects within its origin followed. */
export interface Endpoint {
  readonly url: string;
  /** @param url another of the same origin */
  send(request: Omit<OutgoingRequest, "url"> & { readonly url?: string | undefined }): Sending;
  close(): void;
}

type Credentials = Readonly<Record<string, string>>;

export interface EndpointOptions {
  readonly url: string;
  readonly sender: HttpSender;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly auth: HttpAuth | undefined;
}

export function createEndpoint({ url: home, sender, headers: fixed, auth }: EndpointOptions): Endpoint {
  const { origin } = new URL(home);
  if (fixed !== undefined) checkHeaders("headers", fixed);

  async function settle(attempt: Attempt, request: Parameters<Endpoint["send"]>[0]): Promise<IncomingReply> {
    const { method, body } = request;
    const headers = fixed === undefined ? request.headers : { ...fixed, ...request.headers };
    let target = request.url ?? home;
    let redirects = 0;
    let challenges = 0;
    for (;;) {
      const asked = { method, url: target };
      const given = auth?.headers(asked);
      const credentials: Credentials | undefined = isPromise(given) ? await given : given;
      const sent = credentials === undefined ? headers : { ...headers, ...credentials };
      if (credentials !== undefined) checkHeaders("auth", credentials);
      const reply = await attempt.send({ method, url: target, headers: sent, body });
      const seen = auth && see(asked, reply);
      if (seen !== undefined) auth?.onResponse?.(seen);
      if (isRedirect(reply)) {
        target = redirected(target, origin, reply);
        if (++redirects > maxRedirects) throw unreachable(`${target} was still redirected after ${maxRedirects} times`);
      } else {
        if (auth === undefined || seen === undefined || !isChallenge(reply) || ++challenges > maxChallenges)
          return reply;
        if ((await auth.onChallenge({ ...seen, sent: credentials ?? {} })) === "fail") return reply;
      }
      await drain(reply, attempt);
    }
  }

  return {
    url: home,
    send: (request) => {
      const attempt = new Attempt(sender);
      return { reply: settle(attempt, request), abort: attempt.abort };
    },
    close: () => sender.close(),
  };
}

/** A request that may be sent more than once, and is cut as one. */
class Attempt {
  readonly #sender: HttpSender;
  #current: Sending | undefined;
  #aborted = false;

  constructor(sender: HttpSender) {
    this.#sender = sender;
  }

  send(request: OutgoingRequest): Promise<IncomingReply> {
    if (this.#aborted) return Promise.reject(new LocalError("CLOSED", "the request was given up before it was sent"));
    this.#current = this.#sender.send(request);
    return this.#current.reply;
  }

  readonly abort = (): void => {
    this.#aborted = true;
    this.#current?.abort();
  };
}

function see(request: AuthRequest, reply: IncomingReply): AuthResponse {
  return { request, status: reply.status, header: (name) => reply.header(name.toLowerCase()) };
}

/** A platform that hides a redirect gives it no status. */
function isRedirect({ status }: IncomingReply): boolean {
  return status === 0 || (status > 300 && status < 309 && status !== 304);
}

/** Only these are about who asks: a 403 for another reason, or a 406, is no question for credentials. */
function isChallenge(reply: IncomingReply): boolean {
  return reply.status === 401 || (reply.status === 403 && /^\s*\S+\s+\S/.test(reply.header("www-authenticate") ?? ""));
}

/** @throws LocalError `UNREACHABLE` for a redirect that would lose the message or leave the origin */
function redirected(from: string, origin: string, reply: IncomingReply): string {
  const location = reply.header("location");
  if ((reply.status === 307 || reply.status === 308) && location !== undefined && URL.canParse(location, from)) {
    const target = new URL(location, from);
    if (target.origin === origin) return target.href;
  }
  const where = location ?? "where this platform does not say";
  throw unreachable(`${from} is redirected to ${where}; only 307 and 308 within ${origin} are followed`);
}

/** @throws LocalError `INVALID_ARGUMENT`, without the values: they may be secret */
function checkHeaders(option: string, headers: Credentials): void {
  if (areSendable(headers)) return;
  const names = Object.keys(headers).join(", ");
  throw new LocalError(
    "INVALID_ARGUMENT",
    `${option} must give headers of ASCII without line breaks, not ${names} as they are`,
  );
}

function unreachable(message: string): LocalError {
  return new LocalError("UNREACHABLE", message);
}
