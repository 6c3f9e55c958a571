import { LocalError, rpcCodes } from "@parlance/jsonrpc";
import { classify, encodeError, type Incoming, type Malformed, parse } from "@parlance/jsonrpc/codec";
import { decodeText } from "./body.js";
import type { HttpReply, HttpRequest } from "./http.js";
import { emptyReply, jsonReply, refusal } from "./reply.js";

/**
 * Reads the message of a request. A framework may have parsed the body, or only read it; then its limit counts.
 * @throws LocalError `FRAME_TOO_LONG`, `BAD_FRAME`
 */
export function readIncoming(request: HttpRequest, maxBodyBytes: number): Promise<Incoming> {
  const { parsed } = request;
  return parsed === undefined ? request.readText(maxBodyBytes).then(parse) : takeOver(parsed);
}

async function takeOver(parsed: unknown): Promise<Incoming> {
  if (typeof parsed === "string") return parse(parsed);
  if (parsed instanceof Uint8Array) return parse(decodeText(parsed));
  return Array.isArray(parsed) ? { kind: "batch", items: parsed } : classify(parsed);
}

/** The answer to a body that holds no message: what `readIncoming` threw, or found. */
export function unreadable(fault: Malformed | unknown): HttpReply {
  if (isMalformed(fault)) {
    const { id, meant, error } = fault;
    return jsonReply(encodeError(meant === "request" ? id : undefined, error), 400);
  }
  if (!(fault instanceof LocalError)) return refusal(400, rpcCodes.parseError, "The body could not be read");
  return fault.code === "FRAME_TOO_LONG"
    ? emptyReply(413, { connection: "close" })
    : refusal(400, rpcCodes.parseError, fault.message);
}

function isMalformed(fault: Malformed | unknown): fault is Malformed {
  return typeof fault === "object" && fault !== null && "kind" in fault && fault.kind === "malformed";
}
