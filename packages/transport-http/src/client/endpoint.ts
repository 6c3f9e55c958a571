import { LocalError } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import { areSendable } from "../reply.js";
import type { AuthChallenge, AuthRequest, HttpAuth } from "./auth.js";
import { drain } from "./drain.js";
import type { HttpClientOptions } from "./options.js";
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

/** Where requests go, what sends them, and what each of them has. */
export interface EndpointOptions {
  readonly url: string;
  readonly sender: HttpSender;
  readonly headers: HttpClientOptions["headers"];
  readonly auth: HttpAuth | undefined;
}

type Request = Parameters<Endpoint["send"]>[0];
type Headers = OutgoingRequest["headers"];

/** @throws LocalError `INVALID_ARGUMENT` for headers that cannot be sent */
export function createEndpoint({ url: home, sender, headers: fixed, auth }: EndpointOptions): Endpoint {
  const { origin } = new URL(home);
  if (fixed !== undefined) checkHeaders("headers", fixed);

  async function settle(request: Request, attempt: Attempt, last: Cut): Promise<IncomingReply> {
    const { method, body } = request;
    const headers = fixed === undefined ? request.headers : { ...fixed, ...request.headers };
    let url = request.url ?? home;
    let redirects = 0;
    let challenges = 0;
    for (;;) {
      const asked = { method, url };
      const given = auth?.headers(asked);
      const sent: Headers | undefined = isPromise(given) ? await given : given;
      if (sent !== undefined) checkHeaders("auth", sent);
      const reply = await attempt({
        method,
        url,
        headers: sent === undefined ? headers : { ...headers, ...sent },
        body,
      });
      const seen = sent && see(asked, reply, sent);
      if (seen !== undefined) auth?.onResponse?.(seen);
      if (isRedirect(reply)) {
        url = redirected(url, origin, reply);
        if (++redirects > maxRedirects) throw badRedirect(`${url} was still redirected after ${maxRedirects} times`);
      } else {
        const isAsked = seen !== undefined && isChallenge(reply) && ++challenges <= maxChallenges;
        if (!isAsked || (await auth?.onChallenge(seen)) !== "retry") return reply;
      }
      await drain(reply, last);
    }
  }

  return {
    url: home,
    send: (request) => {
      let current: Sending | undefined;
      let isCut = false;
      const attempt: Attempt = (outgoing) => {
        if (isCut) throw new LocalError("CLOSED", "the request was given up before it was sent");
        current = sender.send(outgoing);
        return current.reply;
      };
      const abort = (): void => {
        isCut = true;
        current?.abort();
      };
      const last: Cut = { abort: () => current?.abort() };
      return { reply: settle(request, attempt, last), abort };
    },
    close: () => sender.close(),
  };
}

/** Sends a request that may be sent more than once, and is cut as one. */
type Attempt = (request: OutgoingRequest) => Promise<IncomingReply>;
/** Cuts only what was sent last. */
type Cut = Pick<Sending, "abort">;

function see(request: AuthRequest, reply: IncomingReply, sent: Headers): AuthChallenge {
  return { request, status: reply.status, header: (name) => reply.header(name.toLowerCase()), sent };
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
  throw badRedirect(`${from} is redirected to ${where}; only 307 and 308 within ${origin} are followed`);
}

/** @throws LocalError `INVALID_ARGUMENT`, without the values: they may be secret */
function checkHeaders(option: string, headers: Headers): void {
  if (areSendable(headers)) return;
  const names = Object.keys(headers).join(", ");
  throw new LocalError("INVALID_ARGUMENT", `${option} must give ${names} as ASCII without line breaks`);
}

function badRedirect(message: string): LocalError {
  return new LocalError("UNREACHABLE", message);
}
