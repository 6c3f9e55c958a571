import { type Connection, RpcError, type RpcRequest, rpcCodes } from "@parlance/jsonrpc";
import { type Classified, classify, encodeError, refusal as malformedText } from "@parlance/jsonrpc/codec";
import { hear } from "@parlance/jsonrpc/respond";
import { EventStream, type MessageStream } from "../event-stream.js";
import type { HttpArrival, HttpReply, HttpServed } from "../http.js";
import { Outlet } from "../outlet.js";
import { emptyReply, refusal } from "../reply.js";
import { HandshakeExchange } from "./exchange.js";
import type { Session, SessionSettings } from "./session.js";

/** How many messages a batch may hold: each bad one costs an answer many times its size. */
const maxBatchMessages = 1_000;

/** Answers what one POST holds, on a connection: a session, or one that ends with the answer. */
export interface Answering {
  readonly arrival: HttpArrival;
  readonly server: HttpServed;
  readonly settings: SessionSettings;
  readonly connection: Connection;
  readonly session?: Session | undefined;
}

/**
 * Answers a POST. A batch is answered by one array when all of it is, in the order in which the answers came.
 * @see MCP 2025-03-26, basic/transports, sending messages to the server
 */
export function answerPost(to: Answering, mayBatch: boolean): HttpReply | Promise<HttpReply> {
  const { incoming } = to.arrival;
  if (incoming === undefined) return refusal(400, "the request has no body: POST one JSON-RPC message");
  if (incoming.kind !== "batch") return answerAll(to, [incoming], false);
  const { length } = incoming.items;
  if (!mayBatch) return refusal(400, "a batch is not allowed in this session: send one message at a time");
  if (length === 0 || length > maxBatchMessages) {
    return refusal(400, `a batch has 1 to ${maxBatchMessages} messages, not ${length}`);
  }
  return answerAll(to, incoming.items.map(classify), true);
}

function answerAll(to: Answering, items: readonly Classified[], isBatch: boolean): HttpReply | Promise<HttpReply> {
  const { arrival, session, settings } = to;
  const start = (): MessageStream => session?.stream(arrival) ?? new EventStream(arrival, settings);
  const outlet = new Outlet(arrival, settings.alwaysStream, start, settings.events !== undefined);
  const texts: string[] = [];
  let open = items.length;
  let isAsked = false;
  const settle = (text?: string, error?: unknown): void => {
    if (text !== undefined) texts.push(text);
    open -= 1;
    if (open > 0 || !isAsked) return;
    if (isBatch) outlet.finish(texts.length === 0 ? undefined : `[${texts.join(",")}]`);
    else outlet.finish(text, statusOf(error), error);
  };
  for (const item of items) {
    switch (item.kind) {
      case "request":
        isAsked = true;
        answerRequest(to, outlet, item.message, settle);
        break;
      case "malformed":
        isAsked = true;
        settle(malformedText(item));
        break;
      default:
        take(to, item);
        settle();
    }
  }
  return isAsked ? outlet.reply() : emptyReply(202);
}

function answerRequest(
  to: Answering,
  outlet: Outlet,
  message: RpcRequest,
  settle: (text?: string, error?: unknown) => void,
): void {
  const { id } = message;
  const exchange = new HandshakeExchange(to, outlet, (text, error) => {
    to.session?.done(id);
    settle(text, error);
  });
  if (to.session?.start(id, exchange) !== false) {
    exchange.run(to.server, message);
    return;
  }
  const inUse = new RpcError(rpcCodes.invalidRequest, `the request id ${JSON.stringify(id)} is in use`, {
    early: true,
  });
  // with its id this would pass for the answer to the first
  settle(encodeError(undefined, inUse.toJSON()), inUse);
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

/** Errors are told in the answer, but for a request that was not understood; 404 would mean that the session is gone. */
function statusOf(error: unknown): number {
  return error instanceof RpcError && error.early ? 400 : 200;
}
