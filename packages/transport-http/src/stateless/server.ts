import { RpcError, type RpcNotification } from "@parlance/jsonrpc";
import { encodeError } from "@parlance/jsonrpc/codec";
import { hear } from "@parlance/jsonrpc/respond";
import type { HttpArrival, HttpBinding, HttpReply, HttpServed } from "../http.js";
import { type AnswerOptions, answerSettings } from "../outlet.js";
import { emptyReply, jsonReply, refusal } from "../reply.js";
import { eventStream } from "../sse.js";
import { checkNotification } from "./agreement.js";
import { StatelessExchange, type StatelessSettings } from "./exchange.js";
import { versionOf } from "./version.js";

/** What is answered by a stream, or refused. */
const listenMethod = "subscriptions/listen";

/**
 * Streamable HTTP as of 2026-07-28: each POST is a request by itself and owns its answer.
 * @see MCP 2026-07-28, basic/transports/streamable-http
 * @stable
 */
export function statelessBinding(options: AnswerOptions = {}): HttpBinding {
  const settings: StatelessSettings = { ...answerSettings(options), listens: new Set() };

  function answer(arrival: HttpArrival, server: HttpServed): HttpReply | Promise<HttpReply> {
    const { incoming, accepts } = arrival;
    if (incoming?.kind === "notification") return notice(arrival, incoming.message, server);
    if (incoming?.kind !== "request") {
      return refusal(400, "a POST holds one request or notification here, no response and no batch");
    }
    const { message } = incoming;
    const exchange = new StatelessExchange(arrival, settings);
    if (message.method === listenMethod) {
      if (!accepts.events) return refusal(406, `Accept must allow ${eventStream}: ${listenMethod} is a stream`);
      settings.listens.add(exchange);
    }
    exchange.run(server, message);
    return exchange.outlet.reply();
  }

  return {
    era: "stateless",
    methods: ["POST"],
    claims: ({ incoming }) =>
      incoming !== undefined &&
      "message" in incoming &&
      "method" in incoming.message &&
      versionOf(incoming.message.params) !== undefined,
    answer,
    close: () => {
      for (const exchange of settings.listens) exchange.handleEvent();
    },
    abort: settings.open.abort,
  };
}

/** Headers are no duty of a notification, but those that are there must agree with the body. */
function notice({ request, report }: HttpArrival, message: RpcNotification, server: HttpServed): HttpReply {
  try {
    checkNotification(request, message);
  } catch (error) {
    if (error instanceof RpcError) return jsonReply(encodeError(undefined, error.toJSON()), 400);
    throw error;
  }
  // ids are not unique across callers, so a cancel over HTTP is the closed stream and nothing else
  if (message.method !== "notifications/cancelled") hear(server, message, { closed: request.signal }, report);
  return emptyReply(202);
}
