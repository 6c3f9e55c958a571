import type { Ask, Handler, JsonObject, RequestOptions, RpcResponse } from "@parlance/jsonrpc";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import type { MessageStream } from "../event-stream.js";
import type { HttpArrival } from "../http.js";

/** What a session's client was asked and has not answered. Ids are unique in the session, whatever the stream. */
export interface Questions {
  /** Asks on a stream; the answer comes by a POST of its own. */
  ask(stream: MessageStream, ...question: Parameters<Ask>): Promise<JsonObject>;
  settle(response: RpcResponse): void;
  end: ReturnType<NonNullable<Handler["asking"]>>["end"];
}

/** @param asking makes what asks, as the server brings it */
export function createQuestions(asking: NonNullable<Handler["asking"]>, report: HttpArrival["report"]): Questions {
  /** Where each was asked, by its id: that it is not wanted any more is said there too. */
  const streams = new Map<unknown, MessageStream>();
  let asked: MessageStream | undefined;
  const calls = asking({
    report,
    send: (text) => asked?.send(text),
    notify: async (method, params) => streams.get(params["requestId"])?.send(encodeMessage(undefined, method, params)),
    opened: () => {},
  });
  return {
    async ask(stream, method, params, options) {
      let id: unknown;
      const started: RequestOptions["started"] = (given) => {
        id = given;
        asked = stream;
        streams.set(id, stream);
        options?.started?.(given);
      };
      try {
        return await calls.request(method, params, { ...options, started });
      } finally {
        streams.delete(id);
      }
    },
    settle: calls.settle,
    end: calls.end,
  };
}
