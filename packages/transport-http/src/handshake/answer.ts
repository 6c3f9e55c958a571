import {
  type Batches,
  type Connection,
  RpcError,
  type RpcErrorObject,
  type RpcRequest,
  rpcCodes,
} from "@parlance/jsonrpc";
import { type Classified, encodeError, refusal as malformedText } from "@parlance/jsonrpc/codec";
import { hear } from "@parlance/jsonrpc/respond";
import { EventStream, type MessageStream } from "../event-stream.js";
import type { HttpArrival, HttpReply, HttpServed } from "../http.js";
import { Outlet } from "../outlet.js";
import { emptyReply, refusal } from "../reply.js";
import { HandshakeExchange } from "./exchange.js";
import type { Session, SessionSettings } from "./session.js";

/** Answers what one POST holds, on a connection: a session, or one that ends with the answer. */
export interface Answering {
  readonly arrival: HttpArrival;
  readonly server: HttpServed;
  readonly settings: SessionSettings;
  readonly connection: Connection;
  readonly session?: Session | undefined;
}

/**
 * Takes the text of an answer, or nothing when there is none, and what was thrown. Errors are told in the answer, but for
 * what was not understood, which is 400; 404 would mean that the session is gone. A batch does not pass on what was thrown.
 */
type Finish = (text: string | undefined, error?: unknown) => void;

/**
 * Answers a POST, which may hold a batch where that is allowed.
 * @see MCP 2025-03-26, basic/transports, sending messages to the server
 */
export function answerPost(to: Answering, batches: Batches | undefined): HttpReply | Promise<HttpReply> {
  const { arrival, session, settings } = to;
  const { incoming } = arrival;
  const start = (): MessageStream => session?.stream(arrival) ?? new EventStream(arrival, settings);
  const outlet = new Outlet(arrival, settings.alwaysStream, start, settings.events !== undefined);
  let isAsked = false;

  function receive(item: Classified, finish: Finish): void {
    isAsked ||= item.kind === "request" || item.kind === "malformed";
    if (item.kind === "request") answerRequest(to, outlet, item.message, finish);
    else if (item.kind === "malformed") finish(malformedText(item), early(item.error));
    else take(to, item);
  }

  function finish(text: string | undefined, error?: unknown): void {
    if (isAsked) outlet.finish(text, error instanceof RpcError && error.early ? 400 : 200, error);
  }

  if (incoming === undefined) return refusal(400, "the request has no body: POST one JSON-RPC message");
  if (incoming.kind !== "batch") receive(incoming, finish);
  else if (batches !== undefined) batches(incoming.items, receive, finish);
  else return refusal(400, "a batch is not allowed in this session: send one message at a time");
  return isAsked ? outlet.reply() : emptyReply(202);
}

function answerRequest(to: Answering, outlet: Outlet, message: RpcRequest, finish: Finish): void {
  const { id } = message;
  const exchange = new HandshakeExchange(to, outlet, (text, error) => {
    to.session?.done(id);
    finish(text, error);
  });
  if (to.session?.start(id, exchange) !== false) {
    exchange.run(to.server, message);
    return;
  }
  const inUse = { code: rpcCodes.invalidRequest, message: `the request id ${JSON.stringify(id)} is in use` };
  // with its id this would pass for the answer to the first
  finish(encodeError(undefined, inUse), early(inUse));
}

/** Hears a notification, or takes the answer to a question. */
function take(
  { arrival, server, connection, session }: Answering,
  incoming: Extract<Classified, { readonly kind: "notification" | "response" }>,
): void {
  if (incoming.kind === "response") {
    if (session === undefined) arrival.report({ kind: "stray_response", response: incoming.message });
    else session.settle(incoming.message, arrival.report);
    return;
  }
  const { method, params } = incoming.message;
  if (method !== "notifications/cancelled" || session?.cancel(params ?? {}) !== true) {
    hear(server, incoming.message, connection, arrival.report);
  }
}

function early({ code, message }: RpcErrorObject): RpcError {
  return new RpcError(code, message, { early: true });
}
