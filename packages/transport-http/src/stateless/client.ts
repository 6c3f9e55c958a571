import { type Ask, type JsonObject, LocalError } from "@parlance/jsonrpc";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import { hear } from "@parlance/jsonrpc/respond";
import { answerLost, type Reader, readEventAnswer, readJsonAnswer } from "../client/answer.js";
import type { Call } from "../client/calls.js";
import { drain } from "../client/drain.js";
import { failure, isEventStream, isSuccess } from "../client/failure.js";
import type { Speech, Surroundings } from "../client/speech.js";
import type { Sending } from "../client/wire.js";
import { eventStream } from "../sse.js";
import { encodeHeader } from "./header.js";
import { createMirroring, type Mirroring } from "./mirroring.js";
import { namedBy } from "./named-by.js";
import { streamNamedBy } from "./stream-name.js";
import { versionOf } from "./version.js";

/**
 * Sends without a session: each POST owns its answer, and closing its stream is what cancels it.
 * @see MCP 2026-07-28, basic/transports/streamable-http
 */
export function statelessWay(around: Surroundings): Speech {
  const { endpoint, handler, calls, report, maxMessageBytes } = around;
  const connection = { closed: around.closed };
  let lastVersion: string | undefined;

  const reader: Reader = {
    maxMessageBytes,
    batches: false,
    hear: (message) => {
      if (!("id" in message)) hear(handler, message, connection, report);
      // a server of this era must not ask, and a client of it never sends a response
      else report({ kind: "unanswered_request", id: message.id, method: message.method });
    },
    report,
  };

  /** What comes on the stream of one request is its own, whatever the server says. */
  function readerOf({ id }: Call): Reader {
    const own = (message: Parameters<Reader["hear"]>[0]): void => {
      const named = "id" in message ? undefined : streamNamedBy(message);
      if ("id" in message || named === undefined || named === id) reader.hear(message);
      else report({ kind: "stray_notification", id, notification: message });
    };
    return { ...reader, hear: own };
  }

  const send: Ask = (method, params, options) => calls.ask(method, options, (call) => request(call, params));
  const mirroring = createMirroring(send, report);

  function post(method: string, params: JsonObject, text: string, routedBy?: string): Sending {
    const version = versionOf(params);
    if (typeof version === "string") lastVersion = version;
    const headers = headersFor(lastVersion, method, params, mirroring.headers(method, params), routedBy);
    return endpoint.send({ method: "POST", headers, body: text });
  }

  function request(call: Call, params: JsonObject): void {
    const { id, method, options } = call;
    const sending = post(method, params, encodeMessage(id, method, params), options?.routedBy);
    call.sending = sending;
    answer(call, sending).catch((error: unknown) => call.reject(error));
  }

  async function answer(call: Call, sending: Sending): Promise<void> {
    const reply = await sending.reply;
    if (!isSuccess(reply)) throw await failure(reply, call.method, call.id);
    if (!isEventStream(reply)) return readJsonAnswer(reply, call, reader);
    const position = { lastId: undefined, retryMs: undefined };
    let cause: unknown;
    try {
      await readEventAnswer({ reply, sending }, call, readerOf(call), position);
    } catch (error) {
      cause = error;
    }
    if (call.open) throw answerLost(call, cause);
  }

  return {
    claims: (_, params) => versionOf(params) !== undefined,
    ask: mirroring.ask,
    notify: async (method, params) => {
      const sending = post(method, params, encodeMessage(undefined, method, params));
      const reply = await sending.reply;
      if (!isSuccess(reply)) throw await failure(reply, method);
      void drain(reply, sending); // never rejects, and what it reads is nothing to wait for
    },
  };
}

/** @throws LocalError `INVALID_ARGUMENT` for a method that no header can carry */
function headersFor(
  version: string | undefined,
  method: string,
  params: JsonObject,
  mirrored: ReturnType<Mirroring["headers"]>,
  routedBy: unknown,
): Record<string, string> {
  if (encodeHeader(method) !== method) {
    throw new LocalError(
      "INVALID_ARGUMENT",
      `method ${JSON.stringify(method)} must be visible ASCII to be sent over HTTP`,
    );
  }
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: `application/json, ${eventStream}`,
    "mcp-method": method,
  };
  if (version !== undefined) headers["mcp-protocol-version"] = version;
  const source = namedBy.get(method);
  const name = source === undefined ? routedBy : params[source];
  if (typeof name === "string") headers["mcp-name"] = encodeHeader(name);
  return mirrored === undefined ? headers : { ...headers, ...mirrored };
}
