import { RpcError, type RpcNotification, rpcCodes } from "@parlance/jsonrpc";
import { encodeError } from "@parlance/jsonrpc/codec";
import { hear } from "@parlance/jsonrpc/respond";
import { defaultMaxQueued } from "../event-stream.js";
import type { HttpArrival, HttpBinding, HttpReply, HttpServed } from "../http.js";
import { createOpenSet, defaultKeepAliveMs } from "../open-set.js";
import { emptyReply, jsonReply, refusal } from "../reply.js";
import { eventStream } from "../sse.js";
import { checkNotification, versionOf } from "./agreement.js";
import { listenMethod, StatelessExchange, type StatelessSettings } from "./exchange.js";

/**
 * How requests without a session are answered.
 * @stable
 */
export interface StatelessBindingOptions {
  /** `"auto"`: as JSON if nothing was said before the result, else as a stream. `"stream"`: as a stream to whoever takes one. */
  readonly answers?: "auto" | "stream" | undefined;
  /**
   * How often a comment goes out on a stream that is silent. A call that says nothing for twice this time is answered as
   * a stream, so that nothing in between cuts it. Default 15,000.
   */
  readonly keepAliveMs?: number | undefined;
  /** How much may wait for a reader that does not read before its stream is cut, in characters. Default 4 Mi. */
  readonly maxQueued?: number | undefined;
}

/**
 * Streamable HTTP as of 2026-07-28: each POST is a request by itself and owns its answer.
 * @see MCP 2026-07-28, basic/transports/streamable-http
 * @stable
 */
export function statelessBinding(options: StatelessBindingOptions = {}): HttpBinding {
  const open = createOpenSet(options.keepAliveMs ?? defaultKeepAliveMs);
  const settings: StatelessSettings = {
    open,
    maxQueued: options.maxQueued ?? defaultMaxQueued,
    alwaysStream: options.answers === "stream",
    listens: new Set(),
  };
  return {
    era: "stateless",
    methods: ["POST"],
    claims: ({ incoming }) =>
      incoming !== undefined &&
      "message" in incoming &&
      "method" in incoming.message &&
      versionOf(incoming.message.params) !== undefined,
    answer: (arrival, server) => {
      const { incoming } = arrival;
      switch (incoming?.kind) {
        case "request":
          if (incoming.message.method === listenMethod && !arrival.accepts.events) {
            return refusal(
              406,
              rpcCodes.invalidRequest,
              `Accept must allow ${eventStream}: ${listenMethod} is a stream`,
            );
          }
          return new StatelessExchange(arrival, settings).run(server, incoming.message);
        case "notification":
          return notice(arrival, incoming.message, server);
        case "response":
          return refusal(
            400,
            rpcCodes.invalidRequest,
            "a response has no place here: a server of this era asks nothing",
          );
        case "batch":
          return refusal(400, rpcCodes.invalidRequest, "a batch is not allowed here: send one message at a time");
        case undefined:
          return refusal(400, rpcCodes.invalidRequest, "the request has no body: POST one JSON-RPC message");
        default:
          return incoming satisfies never;
      }
    },
    close: () => {
      for (const exchange of settings.listens) exchange.end();
    },
    abort: open.abort,
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
