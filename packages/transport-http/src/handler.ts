import { AccessError, LocalError, type Principal } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { alone, isPromise } from "@parlance/jsonrpc/respond";
import { longestTimerMs } from "@parlance/jsonrpc/timer";
import { type Anonymous, type Challenge, plainChallenge } from "./guard.js";
import { createDoorkeeper, isLoopback, loopbackHosts } from "./host.js";
import type { HttpArrival, HttpBinding, HttpHandler, HttpReply, HttpRequest, HttpServed } from "./http.js";
import { readIncoming, unreadable } from "./incoming.js";
import { createLimit } from "./limits.js";
import { accepted, isMediaType } from "./media-type.js";
import type { HttpHandlerOptions } from "./options.js";
import { areSendable, closingReply, emptyReply, jsonReply, refusal } from "./reply.js";
import type { HttpReport } from "./report.js";
import { serverBindings } from "./server-eras.js";
import { eventStream } from "./sse.js";

/** The largest body that is read. */
const defaultMaxBodyBytes = 4 * 1024 * 1024;
const defaultMaxOpen = 1_000;
/** All who are not known share one allowance. */
const defaultMaxOpenAnonymous = 10_000;
const defaultDrainMs = 5_000;

/**
 * Puts a server behind HTTP, on any platform: `toFetch(handler)`, or `toNodeListener(handler)` of `./node`.
 * Every request passes, in this order: host and origin, HTTP method, `auth`, content type and `Accept`, size, parse.
 * @throws LocalError `INVALID_ARGUMENT` when `auth` does not say who may call, or everybody could call from everywhere and
 * nobody said that this is meant
 * @see MCP 2026-07-28, basic/transports/streamable-http
 * @stable
 */
export function createHttpHandler(server: HttpServed, options: HttpHandlerOptions): HttpHandler {
  const auth = options?.auth;
  const guard = typeof auth === "function" ? auth : undefined;
  const isPublic = guard !== undefined || anonymousOf(auth).public;
  const { cors, maxBodyBytes = defaultMaxBodyBytes, drainMs = defaultDrainMs } = options;
  const hosts = (options.hosts ?? loopbackHosts).map((host) => host.toLowerCase());
  if (!isPublic) refuseOpen(hosts);
  const doorkeeper = createDoorkeeper(hosts, [...(options.origins ?? []), ...(cors?.origins ?? [])]);
  const bindings = options.bindings ?? serverBindings().filter((binding) => isServed(binding, server));
  const methods = [...new Set(bindings.flatMap((binding) => binding.methods))];
  const allow = methods.join(", ");
  const maxOpen = guard === undefined ? defaultMaxOpenAnonymous : defaultMaxOpen;
  const requests = createLimit("requests", options.maxRequests ?? maxOpen);
  const streams = createLimit("streams", options.maxStreams ?? maxOpen);
  let state: "open" | "closing" | "closed" = "open";
  let closed: Promise<void> | undefined;
  /** Requests and streams: what a closing handler waits for. */
  let running = 0;
  let idle: (() => void) | undefined;

  function leave(): void {
    running -= 1;
    if (running === 0) idle?.();
  }

  function report(what: HttpReport): void {
    // a listener that throws must not fail the request, and there is nobody else to tell
    alone(() => options.report?.(what));
  }

  function refuse(status: number, reason: string, reply: HttpReply = refusal(status, reason)): HttpReply {
    report({ kind: "http_refused", status, reason });
    return reply;
  }

  function challenged({ status, headers, message = "The request is not authorized" }: Challenge): HttpReply {
    if (areSendable(headers))
      return refuse(status, message, jsonReply(JSON.stringify({ error: message }), status, headers));
    return failed(new LocalError("INVALID_ARGUMENT", "A challenge has a header that HTTP cannot carry"));
  }

  function failed(error: unknown): HttpReply {
    if (error instanceof AccessError) return challenged((guard?.challenge ?? plainChallenge)(error));
    if (error instanceof LocalError && error.code === "FRAME_TOO_LONG") return refuse(413, error.message);
    report({ kind: "request_failed", error });
    return emptyReply(500);
  }

  function enter(request: HttpRequest, visit: Visit): HttpReply | Promise<HttpReply> {
    const { method } = request;
    if (state === "closed") return unavailable();
    const stranger = doorkeeper(request);
    if (stranger !== undefined) return refuse(403, stranger);
    const preflight = cors?.preflight(request, allow);
    if (preflight !== undefined) return preflight;
    if (!methods.includes(method)) return refuse(405, `The method ${method} is not served`, emptyReply(405, { allow }));
    if (guard === undefined) return admit(request, undefined, visit);
    return guard(request).then((found) => ("status" in found ? challenged(found) : admit(request, found, visit)));
  }

  function admit(request: HttpRequest, principal: Principal | undefined, visit: Visit): HttpReply | Promise<HttpReply> {
    const id = principal?.id;
    requests.enter(id);
    visit.id = id;
    visit.isCounted = true;
    const { headers, method } = request;
    const accept = headers.get("accept");
    const accepts = accepted(accept);
    if (!accepts.json && !accepts.events && method !== "DELETE") {
      return refuse(406, `Accept must allow application/json or ${eventStream}, not only ${excerpt(accept)}`);
    }
    const openStream = (): (() => void) => {
      streams.enter(id);
      running += 1;
      return () => {
        streams.leave(id);
        leave();
      };
    };
    // written out: to spread one object into another costs more than all the rest of this
    const arrive = (incoming: HttpArrival["incoming"]): ReturnType<typeof dispatch> =>
      dispatch({ request, incoming, principal, accepts, openStream, report });
    if (method !== "POST") return arrive(undefined);
    const type = headers.get("content-type");
    if (!isMediaType(type, "application/json")) {
      return refuse(415, `Content-Type must be application/json, not ${excerpt(type)}`);
    }
    return readIncoming(request, maxBodyBytes).then((incoming) =>
      incoming.kind === "malformed" ? refuse(400, incoming.error.message, unreadable(incoming)) : arrive(incoming),
    );
  }

  function dispatch(arrival: HttpArrival): HttpReply | Promise<HttpReply> {
    if (state !== "open" && beginsSomething(arrival)) return unavailable();
    const { method } = arrival.request;
    const binding =
      bindings.find((each) => each.claims(arrival)) ?? bindings.find((each) => each.methods.includes(method));
    return binding === undefined ? emptyReply(405, { allow }) : binding.answer(arrival, server);
  }

  function answer(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const visit: Visit = { id: undefined, isCounted: false };
    running += 1;
    const finish = (reply: HttpReply): HttpReply => {
      if (visit.isCounted) requests.leave(visit.id);
      leave();
      return cors === undefined ? reply : cors.open(request, reply);
    };
    try {
      const reply = enter(request, visit);
      return isPromise(reply) ? reply.then(finish, (error: unknown) => finish(failed(error))) : finish(reply);
    } catch (error) {
      return finish(failed(error));
    }
  }

  function unavailable(): HttpReply {
    return refuse(503, "The server is closing", closingReply);
  }

  async function shut(): Promise<void> {
    state = "closing";
    for (const binding of bindings) binding.close?.();
    if (running > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(drainMs, longestTimerMs));
        idle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    state = "closed";
    const reason = new LocalError("CLOSED", `The server closed and waited ${drainMs} ms for this request`);
    for (const binding of bindings) binding.abort?.(reason);
  }

  return {
    loopbackOnly: !isPublic,
    answer,
    close: () => {
      closed ??= shut();
      return closed;
    },
  };
}

/** Whose place is given back when a request is answered. No function: one a call drags along what it sees. */
interface Visit {
  id: string | undefined;
  isCounted: boolean;
}

function isServed({ era }: HttpBinding, { eras }: HttpServed): boolean {
  return era === undefined || eras === undefined || eras.some(({ name }) => name === era);
}

/** A running call may still need what its client sends: the answer to a question, or that it is cancelled. */
function beginsSomething({ incoming, request }: HttpArrival): boolean {
  if (request.method === "DELETE") return false;
  return incoming === undefined || incoming.kind === "request" || incoming.kind === "batch";
}

/** @throws LocalError `INVALID_ARGUMENT`, which does not repeat what may be a secret */
function anonymousOf(auth: unknown): Anonymous {
  if (isAnonymous(auth)) return auth;
  const right = "a guard such as bearer({ verify }), or anonymous()";
  throw new LocalError("INVALID_ARGUMENT", `auth must say who may call: ${right}`);
}

function isAnonymous(auth: unknown): auth is Anonymous {
  return Object(auth).type === "anonymous";
}

function refuseOpen(hosts: readonly string[]): void {
  const wide = hosts.find((host) => !isLoopback(host));
  if (wide === undefined) return;
  throw new LocalError(
    "INVALID_ARGUMENT",
    `hosts has ${JSON.stringify(wide)}, and anonymous() lets everybody call: give \`auth\` a guard, or say anonymous({ public: true })`,
  );
}
