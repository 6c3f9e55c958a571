import { type Attributes, context, propagation } from "@opentelemetry/api";
import { type Ask, type Dial, type Handler, type JsonObject, type Peer, RpcError } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import { begin, contextOf, faultOf, type Running, type TraceOptions } from "./operation.js";
import { versionIn } from "./stateless/version.js";

/**
 * Traces all that a client sends over a connection, whichever function sends it: a span of kind CLIENT and a
 * measurement of `mcp.client.operation.duration` for each request, with the trace written into its `_meta`; and a span of
 * kind SERVER for each question that the server asks. A request whose `_meta` has a `traceparent` continues that trace.
 * Give it in place of the dial: `connectClient({ dial: traceDial(dial), … })`.
 * @see OpenTelemetry semantic conventions for MCP; MCP 2026-07-28, basic, reserved keys (`traceparent`)
 * @experimental
 */
export function traceDial(dial: Dial, options: TraceOptions = {}): Dial {
  return async (handler, report) => tracePeer(await dial(traceHandler(handler, options), report), options);
}

function tracePeer(peer: Peer, options: TraceOptions): Peer {
  const transport: Attributes =
    peer.carrier === "http" ? { "network.transport": "tcp" } : { "network.transport": "pipe" };
  const place = { ...transport, ...addressOf(peer.authority) };
  const request: Ask = async (method, params, given = {}) => {
    const attributes = { ...place, ...versionIn(params) };
    const running = begin({ side: "client", method, params, parent: contextOf(params["_meta"]), attributes }, options);
    try {
      const sent = withTrace(params, running);
      const result = await context.with(running.context, () => peer.request(method, sent, given));
      running.end(result, result["isError"] === true ? { type: "tool_error" } : undefined);
      return result;
    } catch (error) {
      running.end(undefined, { ...faultOf(error), cancelled: given.signal?.aborted ?? false });
      throw error;
    }
  };
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(peer),
    request: { value: request, enumerable: true },
  });
}

function traceHandler(handler: Handler, options: TraceOptions): Handler {
  return {
    ...handler,
    request: (message, exchange) => {
      const params = message.params ?? {};
      const parent = contextOf(params["_meta"]);
      const attributes = { "jsonrpc.request.id": String(message.id) };
      const running = begin({ side: "server", method: message.method, params, parent, attributes }, options);
      try {
        const answer = context.with(running.context, () => handler.request(message, exchange));
        if (!isPromise(answer)) {
          running.end(undefined, undefined);
          return answer;
        }
        return answer.then(
          (result) => {
            running.end(undefined, undefined);
            return result;
          },
          (error: unknown) => fail(running, error),
        );
      } catch (error) {
        return fail(running, error);
      }
    },
  };
}

function fail(running: Running, error: unknown): never {
  running.end(undefined, faultOf(error instanceof RpcError ? error : new Error("internal", { cause: error })));
  throw error;
}

/** The parameters with the trace of the running span in their `_meta`; the same ones when there is none to write. */
function withTrace(params: JsonObject, running: Running): JsonObject {
  const carrier: Record<string, string> = {};
  propagation.inject(running.context, carrier);
  if (Object.keys(carrier).length === 0) return params;
  return { ...params, _meta: { ...Object(params["_meta"]), ...carrier } };
}

/** An authority is a URL over HTTP, and on a pipe a command, which is no address. */
function addressOf(authority: string | undefined): Attributes {
  if (authority === undefined || !/^https?:/.test(authority)) return {};
  const { hostname, port, protocol } = new URL(authority);
  return { "server.address": hostname, "server.port": Number(port) || (protocol === "https:" ? 443 : 80) };
}
