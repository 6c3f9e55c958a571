import { type Handler, RpcError, type RpcNotification, type RpcRequest, rpcCodes } from "@parlance/jsonrpc";
import { encodeError } from "@parlance/jsonrpc/codec";
import { defaultMaxQueued } from "../event-stream.js";
import type { HttpArrival, HttpBinding, HttpReply } from "../http.js";
import { createKeepAlive, defaultKeepAliveMs, type KeepAlive } from "../keep-alive.js";
import { emptyReply, jsonReply, refusal } from "../reply.js";
import { StatelessExchange } from "./exchange.js";
import { readHeader } from "./header.js";

/**
 * How requests without a session are answered.
 * @stable
 */
export interface StatelessBindingOptions {
  /** How long an answer or a stream may be silent before a comment is sent. Default 15,000. */
  readonly keepAliveMs?: number | undefined;
  /** How much may wait for a reader that does not read before its stream is cut, in characters. Default 4 Mi. */
  readonly maxQueued?: number | undefined;
}

/** What all exchanges of one binding share. */
export interface StatelessShared {
  readonly keepAlive: KeepAlive;
  readonly maxQueued: number;
}

/** The `_meta` key that makes a message one of this era. */
const versionKey = "io.modelcontextprotocol/protocolVersion";

/**
 * Streamable HTTP as of 2026-07-28: each POST is a request by itself and owns its answer.
 * @see MCP 2026-07-28, basic/transports/streamable-http
 * @stable
 */
export function statelessBinding(options: StatelessBindingOptions = {}): HttpBinding {
  const shared: StatelessShared = {
    keepAlive: createKeepAlive(options.keepAliveMs ?? defaultKeepAliveMs),
    maxQueued: options.maxQueued ?? defaultMaxQueued,
  };
  return {
    methods: ["POST"],
    claims: ({ incoming }) =>
      incoming !== undefined && "message" in incoming && "method" in incoming.message && hasVersion(incoming.message),
    answer: (arrival, handler) => {
      const { incoming } = arrival;
      switch (incoming?.kind) {
        case "request":
          return new StatelessExchange(arrival, incoming.message, shared).run(handler);
        case "notification":
          return notice(arrival, incoming.message, handler);
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
  };
}

function hasVersion({ params }: RpcRequest | RpcNotification): boolean {
  const meta = params?.["_meta"];
  return typeof meta === "object" && meta !== null && Object.hasOwn(meta, versionKey);
}

/** Headers are no duty of a notification, but those that are there must agree with the body. */
function notice(arrival: HttpArrival, message: RpcNotification, handler: Handler): HttpReply {
  const { request } = arrival;
  try {
    const method = readHeader(request, "mcp-method");
    if (method !== undefined && method !== message.method) {
      throw new RpcError(
        -32020,
        `Mcp-Method is ${JSON.stringify(method)}, the body says ${JSON.stringify(message.method)}`,
      );
    }
    // ids are not unique across callers, so a cancel over HTTP is the closed stream and nothing else
    if (message.method !== "notifications/cancelled") {
      handler.notification?.(message, { closed: request.signal });
    }
  } catch (error) {
    if (error instanceof RpcError) return jsonReply(encodeError(undefined, error.toJSON()), 400);
    throw error;
  }
  return emptyReply(202);
}
