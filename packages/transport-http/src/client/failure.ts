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
  const text = await refusalText(reply);
  const { status } = reply;
  const answer = answerIn(text, id);
  const says = answer?.message ?? excerpt(wordsIn(text));
  const message = `${what} was answered with HTTP ${status}${says === "" ? "" : `: ${says}`}`;
  const code = status === 401 || status === 403 ? "UNAUTHORIZED" : status >= 502 ? "UNREACHABLE" : "BAD_REPLY";
  const error = new LocalError(code, message, {
    cause: answer && asError(answer),
    details: { status, ...refusalDetails(reply) },
  });
  return code === "BAD_REPLY" && answer !== undefined ? asError(answer, error) : error;
}

function asError({ code, message, data }: RpcErrorObject, cause?: Error): RpcError {
  return new RpcError(code, message, { data, cause });
}

function refusalDetails(reply: IncomingReply): Readonly<Record<string, unknown>> {
  const challenge = reply.header("www-authenticate");
  const seconds = Number(reply.header("retry-after"));
  return {
    ...(challenge === undefined ? undefined : { challenge }),
    ...(seconds > 0 ? { retryAfterMs: seconds * 1_000 } : undefined),
  };
}

function answerIn(text: string, id: RequestId | undefined): RpcErrorObject | undefined {
  const incoming = parse(text);
  if (incoming.kind !== "response" || !("error" in incoming.message)) return undefined;
  const { id: answered, error } = incoming.message;
  if (answered !== undefined && answered !== id) return undefined;
  return error;
}

/** Whatever happens to it, the status has been told. */
async function refusalText(reply: IncomingReply): Promise<string> {
  try {
    const text = await readText(reply, maxRefusalBytes);
    // some answer with a stream whatever the status
    return isEventStream(reply) ? (/^data:(.*)$/m.exec(text)?.[1] ?? "") : text;
  } catch {
    return "";
  }
}

/** What a body says to people, of the members that refusals usually have. */
function wordsIn(text: string): string {
  try {
    const { error_description: long, message, error } = JSON.parse(text);
    const words = [long, message, error].find((each) => typeof each === "string");
    return words ?? text;
  } catch {
    return text; // it is no JSON, or nothing that has members
  }
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxExcerpt ? `${line.slice(0, maxExcerpt)}…` : line;
}

/** @throws LocalError `FRAME_TOO_LONG`, `BAD_FRAME` */
export async function readText(reply: IncomingReply, maxBytes: number): Promise<string> {
  const body = bodyText(maxBytes);
  await reply.read((chunk) => body.add(chunk));
  return body.text();
}
