import { LocalError, type RequestId, RpcError, type RpcErrorObject } from "@parlance/jsonrpc";
import { parse } from "@parlance/jsonrpc/codec";
import { bodyText } from "../body.js";
import { isMediaType } from "../media-type.js";
import { eventStream } from "../sse.js";
import type { IncomingReply } from "./wire.js";

/** How much of a refusal is read. */
const maxRefusalBytes = 64 * 1024;
/** How much of it is repeated. */
const maxExcerpt = 200;

/** Whether a reply is a stream of events. */
export function isEventStream(reply: IncomingReply): boolean {
  return isMediaType(reply.header("content-type") ?? null, eventStream);
}

/** Whether the server took what it was sent. */
export function isSuccess({ status }: IncomingReply): boolean {
  return status >= 200 && status < 300;
}

/**
 * The error that a refusal stands for. A JSON-RPC error in its body is the server's own answer, unless the status speaks of
 * credentials, or of a server that is not there: those say nothing about the request.
 * @param id of the request; absent for what has none
 * @see MCP 2026-07-28, basic/transports/streamable-http
 */
export async function failure(reply: IncomingReply, what: string, id?: RequestId): Promise<LocalError | RpcError> {
  const { status } = reply;
  // whatever happens to its body, the status has been told
  const text = await readText(reply, maxRefusalBytes).catch(() => "");
  const answer = answerIn(text, id);
  const says = (answer?.message ?? text).replace(/\s+/g, " ").trim().slice(0, maxExcerpt);
  const message = `${what} was answered with HTTP ${status}${says && `: ${says}`}`;
  const code = status === 401 || status === 403 ? "UNAUTHORIZED" : status >= 502 ? "UNREACHABLE" : "BAD_REPLY";
  const retryAfterMs = Number(reply.header("retry-after")) * 1_000 || undefined;
  const details = { status, challenge: reply.header("www-authenticate"), retryAfterMs };
  const error = new LocalError(code, message, { details });
  if (answer === undefined || code !== "BAD_REPLY") return error;
  return new RpcError(answer.code, answer.message, { data: answer.data, cause: error });
}

function answerIn(text: string, id: RequestId | undefined): RpcErrorObject | undefined {
  const incoming = parse(text);
  if (incoming.kind !== "response" || !("error" in incoming.message)) return undefined;
  const { id: answered = id, error } = incoming.message;
  return answered === id ? error : undefined;
}

/** @throws LocalError `FRAME_TOO_LONG`, `BAD_FRAME` */
export async function readText(reply: IncomingReply, maxBytes: number): Promise<string> {
  const body = bodyText(maxBytes);
  await reply.read((chunk) => body.add(chunk));
  return body.text();
}
