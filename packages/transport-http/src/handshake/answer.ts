import { type Connection, RpcError, type RpcRequest, rpcCodes } from "@parlance/jsonrpc";
import { classify, encodeError, type Incoming } from "@parlance/jsonrpc/codec";
import { hear, respond } from "@parlance/jsonrpc/respond";
import type { HttpArrival, HttpReply, HttpServed } from "../http.js";
import { messageStream } from "../message-stream.js";
import { Outlet } from "../outlet.js";
import { emptyReply, refusal } from "../reply.js";
import { messageEvent } from "../sse.js";
import { HandshakeExchange } from "./exchange.js";
import type { Session } from "./session.js";
import type { SessionStream, SessionStreamSettings } from "./session-stream.js";

/** What all requests of one binding share. */
export interface HandshakeSettings extends SessionStreamSettings {
  readonly alwaysStream: boolean;
}

/** How many messages a batch may hold: each bad one costs an answer many times its size. */
const maxBatchMessages = 1_000;

/** Answers what one POST holds, on a connection: a session, or one that ends with the answer. */
export interface Answering {
  readonly arrival: HttpArrival;
  readonly server: HttpServed;
  readonly settings: HandshakeSettings;
  readonly connection: Connection;
  readonly session?: Session | undefined;
}

/** Answers one request. */
export function answerRequest(answering: Answering, message: RpcRequest): HttpReply | Promise<HttpReply> {
  const { arrival, server, session, settings } = answering;
  const made = createOutlet(answering);
  const { outlet } = made;
  const exchange = createExchange(answering, made, (text, error) => {
    session?.done(message.id);
    outlet.finish(text, statusOf(error), error);
  });
  if (session?.start(message.id, exchange) === false) {
    return refusal(400, rpcCodes.invalidRequest, `The request id ${JSON.stringify(message.id)} is in use`);
  }
  respond(server, message, exchange, arrival.report, (text, error) => exchange.finish(text, error));
  if (!exchange.isDone) settings.open.add(exchange);
  return outlet.reply();
}

/** Hears a notification, or takes the answer to a question. */
export function take(
  answering: Answering,
  incoming: Extract<Incoming, { readonly kind: "notification" | "response" }>,
): void {
  const { arrival, server, connection, session } = answering;
  if (incoming.kind === "response") {
    if (session?.settle(incoming.message) !== true) {
      arrival.report({ kind: "stray_response", response: incoming.message });
    }
    return;
  }
  const { method, params = {} } = incoming.message;
  if (method === "notifications/cancelled" && session?.cancel(params) === true) return;
  hear(server, incoming.message, connection, arrival.report);
}

/**
 * Answers a batch: one array when all is answered, in the order in which the answers came.
 * @see MCP 2025-03-26, basic/transports, sending messages to the server
 */
export function answerBatch(answering: Answering, items: readonly unknown[]): HttpReply | Promise<HttpReply> {
  const { arrival, server, session, settings } = answering;
  if (items.length === 0 || items.length > maxBatchMessages) {
    return refusal(400, rpcCodes.invalidRequest, `a batch has 1 to ${maxBatchMessages} messages, not ${items.length}`);
  }
  const made = createOutlet(answering);
  const answers: string[] = [];
  let open = items.length;
  const settle = (text: string | undefined): void => {
    if (text !== undefined) answers.push(text);
    open -= 1;
    if (open === 0) made.outlet.finish(answers.length === 0 ? undefined : `[${answers.join(",")}]`);
  };
  const kinds = items.map(classify);
  if (kinds.every(({ kind }) => kind === "notification" || kind === "response")) {
    for (const each of kinds) if (each.kind === "notification" || each.kind === "response") take(answering, each);
    return emptyReply(202);
  }
  for (const each of kinds) {
    switch (each.kind) {
      case "request": {
        const { message } = each;
        const exchange = createExchange(answering, made, (text) => {
          session?.done(message.id);
          settle(text);
        });
        if (session?.start(message.id, exchange) === false) {
          const fault = `the request id ${JSON.stringify(message.id)} is in use`;
          settle(encodeError(undefined, { code: rpcCodes.invalidRequest, message: fault }));
          break;
        }
        respond(server, message, exchange, arrival.report, (text, error) => exchange.finish(text, error));
        if (!exchange.isDone) settings.open.add(exchange);
        break;
      }
      case "malformed":
        settle(each.meant === "notification" ? undefined : encodeError(each.id, each.error));
        break;
      case "notification":
      case "response":
        take(answering, each);
        settle(undefined);
        break;
      default:
        each satisfies never;
    }
  }
  return made.outlet.reply();
}

interface MadeOutlet {
  readonly outlet: Outlet;
  readonly stream: () => SessionStream | undefined;
}

function createOutlet({ arrival, session, settings }: Answering): MadeOutlet {
  let stream: SessionStream | undefined;
  const start = (to: Session): SessionStream => {
    stream = to.stream(arrival);
    return stream;
  };
  const outlet = new Outlet({
    arrival,
    start: () => (session === undefined ? messageStream(arrival, settings) : start(session)),
    whole: session === undefined || settings.store === undefined ? messageEvent : undefined,
    alwaysStream: settings.alwaysStream,
  });
  return { outlet, stream: () => stream };
}

function createExchange(
  { arrival, connection, session, settings }: Answering,
  { outlet, stream }: MadeOutlet,
  finish: (text: string | undefined, error?: unknown) => void,
): HandshakeExchange {
  return new HandshakeExchange({ arrival, connection, session, outlet, stream, open: settings.open, finish });
}

/** Errors are told in the answer, but for a request that was not understood; 404 would mean that the session is gone. */
function statusOf(error: unknown): number {
  return error instanceof RpcError && error.early ? 400 : 200;
}
