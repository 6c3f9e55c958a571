import { AccessError, type Handler, LocalError, type Principal, rpcCodes } from "@parlance/jsonrpc";
import { classify, encodeError, type Incoming, parse } from "@parlance/jsonrpc/codec";
import { createCors } from "./cors.js";
import { fromFetch, toResponse } from "./fetch.js";
import { type Challenge, plainChallenge } from "./guard.js";
import { foreign, isLoopback, loopbackHosts } from "./host.js";
import type { HttpArrival, HttpBinding, HttpHandler, HttpReply, HttpRequest } from "./http.js";
import { createLimit } from "./limits.js";
import { accepts, isMediaType } from "./media-type.js";
import type { HttpHandlerOptions } from "./options.js";
import { emptyReply, jsonReply, refusal } from "./reply.js";
import { eventStream } from "./sse.js";
import { statelessBinding } from "./stateless/server.js";

/** The largest body that is read. */
const defaultMaxBodyBytes = 4 * 1024 * 1024;
const defaultMaxRequests = 1_000;
const defaultMaxStreams = 100;
const defaultDrainMs = 5_000;

/**
 * Puts a server behind HTTP, on any platform: `fetch`, or `toNodeListener` of `./node`.
 * Every request passes, in this order: host and origin, HTTP method, `auth`, content type and `Accept`, size, parse.
 * @throws LocalError `INVALID_ARGUMENT` when everybody could call from everywhere and nobody said that this is meant
 * @see MCP 2026-07-28, basic/transports/streamable-http
 * @stable
 */
export function createHttpHandler(server: Handler, options: HttpHandlerOptions): HttpHandler {
  const { auth, report = () => {}, maxBodyBytes = defaultMaxBodyBytes } = options;
  const hosts = (options.hosts ?? loopbackHosts).map((host) => host.toLowerCase());
  const cors = options.cors && createCors(options.cors);
  const origins = [...(options.origins ?? []), ...(cors?.origins ?? [])];
  const open = "type" in auth && !auth.public;
  if (open) refuseOpen(hosts);
  const bindings = options.bindings ?? [statelessBinding()];
  const methods = [...new Set(bindings.flatMap((binding) => binding.methods))];
  const requests = createLimit("requests", options.maxRequests ?? defaultMaxRequests);
  const streams = createLimit("streams", options.maxStreams ?? defaultMaxStreams);
  const challenge = "type" in auth ? undefined : auth.challenge;
  let closing: Promise<void> | undefined;
  let running = 0;
  let idle: (() => void) | undefined;

  function refused(reply: HttpReply, reason: string): HttpReply {
    report({ kind: "http_refused", status: reply.status, reason });
    return reply;
  }

  function challenged(to: Challenge): HttpReply {
    const message = to.message ?? "The request is not authorized";
    return refused(jsonReply(JSON.stringify({ error: message }), to.status, to.headers), message);
  }

  async function enter(request: HttpRequest): Promise<HttpReply> {
    const stranger = foreign(request, hosts, origins);
    if (stranger !== undefined) return refused(refusal(403, rpcCodes.invalidRequest, stranger), stranger);
    const preflight = cors?.preflight(request, methods.join(", "));
    if (preflight !== undefined) return preflight;
    if (!methods.includes(request.method)) {
      return refused(emptyReply(405, { allow: methods.join(", ") }), `The method ${request.method} is not served`);
    }
    const principal = "type" in auth ? undefined : await auth(request);
    if (principal !== undefined && "status" in principal) return challenged(principal);
    try {
      const leave = requests.take(principal);
      try {
        return await admit(request, principal);
      } finally {
        leave();
      }
    } catch (error) {
      if (error instanceof AccessError) return challenged((challenge ?? plainChallenge)(error));
      throw error;
    }
  }

  async function admit(request: HttpRequest, principal: Principal | undefined): Promise<HttpReply> {
    const accept = request.headers.get("accept");
    const accepted = { json: accepts(accept, "application/json"), events: accepts(accept, eventStream) };
    const arrival: HttpArrival = {
      request,
      principal,
      accepts: accepted,
      openStream: () => streams.take(principal),
      report,
    };
    if (request.method !== "POST") return dispatch(arrival);
    if (!isMediaType(request.headers.get("content-type"), "application/json")) {
      const said = JSON.stringify(request.headers.get("content-type"));
      return refused(
        refusal(415, rpcCodes.invalidRequest, `Content-Type must be application/json, not ${said}`),
        "content type",
      );
    }
    if (!accepted.json && !accepted.events) {
      const needed = `Accept must allow application/json or ${eventStream}, not only ${JSON.stringify(accept)}`;
      return refused(refusal(406, rpcCodes.invalidRequest, needed), needed);
    }
    let incoming: Incoming;
    try {
      incoming = await read(request, maxBodyBytes);
    } catch (error) {
      return refused(unreadable(error), error instanceof Error ? error.message : String(error));
    }
    if (incoming.kind !== "malformed") return dispatch({ ...arrival, incoming });
    const { id, error, meant } = incoming;
    return refused(jsonReply(encodeError(meant === "notification" ? undefined : id, error), 400), error.message);
  }

  function dispatch(arrival: HttpArrival): HttpReply | Promise<HttpReply> {
    const { method } = arrival.request;
    const binding =
      bindings.find((each) => each.claims(arrival)) ?? bindings.find((each) => each.methods.includes(method));
    return binding === undefined ? emptyReply(405, { allow: methods.join(", ") }) : binding.answer(arrival, server);
  }

  async function answer(request: HttpRequest): Promise<HttpReply> {
    if (closing !== undefined) return refused(emptyReply(503, { "retry-after": "1" }), "The server is closing");
    running += 1;
    try {
      const reply = await enter(request);
      return cors === undefined ? reply : cors.open(request, reply);
    } finally {
      running -= 1;
      if (running === 0) idle?.();
    }
  }

  return {
    loopbackOnly: open,
    answer,
    fetch: async (incoming) => {
      const { request, hangUp } = fromFetch(incoming);
      return toResponse(await answer(request), hangUp);
    },
    close: () => (closing ??= shut()),
  };

  async function shut(): Promise<void> {
    await Promise.all(bindings.map((binding: HttpBinding) => binding.close?.()));
    if (running === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, options.drainMs ?? defaultDrainMs);
      idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function refuseOpen(hosts: readonly string[]): void {
  const wide = hosts.find((host) => !isLoopback(host));
  if (wide === undefined) return;
  throw new LocalError(
    "INVALID_ARGUMENT",
    `hosts has ${JSON.stringify(wide)}, and anonymous() lets everybody call: give \`auth\` a guard, or say anonymous({ public: true })`,
  );
}

/** A framework may have parsed the body, or only read it. */
async function read(request: HttpRequest, maxBodyBytes: number): Promise<Incoming> {
  const { parsed } = request;
  if (parsed === undefined) return parse(await request.readText(maxBodyBytes));
  if (typeof parsed === "string") return parse(parsed);
  if (parsed instanceof Uint8Array) return parse(new TextDecoder("utf-8", { fatal: true }).decode(parsed));
  return Array.isArray(parsed) ? { kind: "batch", items: parsed } : classify(parsed);
}

function unreadable(error: unknown): HttpReply {
  if (error instanceof LocalError && error.code === "FRAME_TOO_LONG") return emptyReply(413, { connection: "close" });
  return refusal(400, rpcCodes.parseError, error instanceof LocalError ? error.message : "The body could not be read");
}
