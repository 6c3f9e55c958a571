import { AccessError, LocalError, type Principal, rpcCodes } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import { fetchWith } from "./fetch.js";
import { type Challenge, plainChallenge } from "./guard.js";
import { createDoorkeeper, isLoopback, loopbackHosts } from "./host.js";
import type { HttpArrival, HttpBinding, HttpHandler, HttpReply, HttpRequest, HttpServed } from "./http.js";
import { readIncoming, unreadable } from "./incoming.js";
import { createLimit } from "./limits.js";
import { accepted, isMediaType } from "./media-type.js";
import type { HttpHandlerOptions } from "./options.js";
import { areSendable, emptyReply, jsonReply, refusal } from "./reply.js";
import type { HttpReport } from "./report.js";
import { serverBindings } from "./server-eras.js";
import { eventStream } from "./sse.js";
import { createTraffic } from "./traffic.js";

/** The largest body that is read. */
const defaultMaxBodyBytes = 4 * 1024 * 1024;
const defaultMaxOpen = 1_000;
/** All who are not known share one allowance. */
const defaultMaxOpenAnonymous = 10_000;
const defaultDrainMs = 5_000;

/**
 * Puts a server behind HTTP, on any platform: `fetch`, or `toNodeListener` of `./node`.
 * Every request passes, in this order: host and origin, HTTP method, `auth`, content type and `Accept`, size, parse.
 * @throws LocalError `INVALID_ARGUMENT` when `auth` does not say who may call, or everybody could call from everywhere and
 * nobody said that this is meant
 * @see MCP 2026-07-28, basic/transports/streamable-http
 * @stable
 */
export function createHttpHandler(server: HttpServed, options: HttpHandlerOptions): HttpHandler {
  checkAuth(options?.auth);
  const { auth, cors, maxBodyBytes = defaultMaxBodyBytes, drainMs = defaultDrainMs } = options;
  const hosts = (options.hosts ?? loopbackHosts).map((host) => host.toLowerCase());
  const origins = [...(options.origins ?? []), ...(cors?.origins ?? [])];
  const doorkeeper = createDoorkeeper(hosts, origins);
  const guard = "type" in auth ? undefined : auth;
  const loopbackOnly = "type" in auth && !auth.public;
  if (loopbackOnly) refuseOpen(hosts);
  const bindings = options.bindings ?? serverBindings().filter((binding) => isServed(binding, server));
  const methods = [...new Set(bindings.flatMap((binding) => binding.methods))];
  const allow = methods.join(", ");
  const maxOpen = guard === undefined ? defaultMaxOpenAnonymous : defaultMaxOpen;
  const requests = createLimit("requests", options.maxRequests ?? maxOpen);
  const streams = createLimit("streams", options.maxStreams ?? maxOpen);
  const traffic = createTraffic();
  let state: "open" | "closing" | "closed" = "open";
  let closed: Promise<void> | undefined;

  function report(what: HttpReport): void {
    try {
      options.report?.(what);
    } catch {
      // a listener that throws must not fail the request, and there is nobody else to tell
    }
  }

  function refused(reply: HttpReply, reason: string): HttpReply {
    report({ kind: "http_refused", status: reply.status, reason });
    return reply;
  }

  function unavailable(): HttpReply {
    return refused(emptyReply(503, { "retry-after": "1" }), "The server is closing");
  }

  function challenged(to: Challenge): HttpReply {
    const message = to.message ?? "The request is not authorized";
    if (areSendable(to.headers)) {
      return refused(jsonReply(JSON.stringify({ error: message }), to.status, to.headers), message);
    }
    return failed(new LocalError("INVALID_ARGUMENT", "A challenge has a header that HTTP cannot carry"));
  }

  function failed(error: unknown): HttpReply {
    if (error instanceof AccessError) return challenged((guard?.challenge ?? plainChallenge)(error));
    report({ kind: "request_failed", error });
    return emptyReply(500);
  }

  function enter(request: HttpRequest, visit: Visit): HttpReply | Promise<HttpReply> {
    if (state === "closed") return unavailable();
    const stranger = doorkeeper(request);
    if (stranger !== undefined) return refused(refusal(403, rpcCodes.invalidRequest, stranger), stranger);
    const preflight = cors?.preflight(request, allow);
    if (preflight !== undefined) return preflight;
    if (!methods.includes(request.method)) {
      return refused(emptyReply(405, { allow }), `The method ${request.method} is not served`);
    }
    if (guard === undefined) return admit(request, undefined, visit);
    return guard(request).then((found) => ("status" in found ? challenged(found) : admit(request, found, visit)));
  }

  function admit(request: HttpRequest, principal: Principal | undefined, visit: Visit): HttpReply | Promise<HttpReply> {
    visit.leave = requests.take(principal);
    const accept = request.headers.get("accept");
    const accepts = accepted(accept);
    if (!accepts.json && !accepts.events && request.method !== "DELETE") {
      const needed = `Accept must allow application/json or ${eventStream}, not only ${JSON.stringify(accept)}`;
      return refused(refusal(406, rpcCodes.invalidRequest, needed), needed);
    }
    const openStream = (): (() => void) => traffic.enter(streams.take(principal));
    if (request.method !== "POST") return dispatch({ request, principal, accepts, openStream, report });
    const type = request.headers.get("content-type");
    if (!isMediaType(type, "application/json")) {
      const needed = `Content-Type must be application/json, not ${JSON.stringify(type)}`;
      return refused(refusal(415, rpcCodes.invalidRequest, needed), needed);
    }
    return readIncoming<HttpReply>(
      request,
      maxBodyBytes,
      (incoming) => {
        if (incoming.kind !== "malformed") {
          return dispatch({ request, incoming, principal, accepts, openStream, report });
        }
        return refused(unreadable(incoming), incoming.error.message);
      },
      (error) => refused(unreadable(error), error instanceof Error ? error.message : "unreadable"),
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
    const visit: Visit = { leave: undefined };
    const leave = traffic.enter();
    const finish = (reply: HttpReply): HttpReply => {
      visit.leave?.();
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

  async function shut(): Promise<void> {
    state = "closing";
    for (const binding of bindings) binding.close?.();
    await traffic.ended(drainMs);
    state = "closed";
    const reason = new LocalError("CLOSED", `The server closed and waited ${drainMs} ms for this request`);
    for (const binding of bindings) binding.abort?.(reason);
  }

  return {
    loopbackOnly,
    answer,
    fetch: fetchWith(answer),
    close: () => {
      closed ??= shut();
      return closed;
    },
  };
}

/** What is given back when a request is answered. */
interface Visit {
  leave: (() => void) | undefined;
}

function isServed({ era }: HttpBinding, { eras }: HttpServed): boolean {
  return era === undefined || eras === undefined || eras.some(({ name }) => name === era);
}

/** A running call may still need what its client sends: the answer to a question, or that it is cancelled. */
function beginsSomething({ incoming, request }: HttpArrival): boolean {
  if (request.method === "DELETE") return false;
  return incoming === undefined || incoming.kind === "request" || incoming.kind === "batch";
}

function checkAuth(auth: unknown): void {
  if (typeof auth === "function" || (typeof auth === "object" && auth !== null && "type" in auth)) return;
  throw new LocalError(
    "INVALID_ARGUMENT",
    `auth must say who may call: a guard such as bearer({ verify }), or anonymous()`,
  );
}

function refuseOpen(hosts: readonly string[]): void {
  const wide = hosts.find((host) => !isLoopback(host));
  if (wide === undefined) return;
  throw new LocalError(
    "INVALID_ARGUMENT",
    `hosts has ${JSON.stringify(wide)}, and anonymous() lets everybody call: give \`auth\` a guard, or say anonymous({ public: true })`,
  );
}
