import { LocalError, rpcCodes } from "@parlance/jsonrpc";
import { classify, encodeError, type Incoming, type Malformed, parse } from "@parlance/jsonrpc/codec";
import { decodeText } from "./body.js";
import type { HttpReply, HttpRequest } from "./http.js";
import { emptyReply, jsonReply, refusal } from "./reply.js";

/**
 * Reads the message of a request. A framework may have parsed the body, or only read it; then its limit counts.
 * @param failed gets a LocalError `FRAME_TOO_LONG` or `BAD_FRAME`, or whatever broke the body
 */
export function readIncoming<T>(
  request: HttpRequest,
  maxBodyBytes: number,
  take: (incoming: Incoming) => T | Promise<T>,
  failed: (error: unknown) => T,
): Promise<T> {
  const { parsed } = request;
  if (parsed !== undefined) return takeOver(parsed).then(take, failed);
  // read and taken in one step: each costs a turn of the queue
  return request.readText(maxBodyBytes).then((text) => take(read(text)), failed);
}

async function takeOver(parsed: unknown): Promise<Incoming> {
  if (typeof parsed === "string") return read(parsed);
  if (parsed instanceof Uint8Array) return read(decodeText(parsed));
  return shallow(Array.isArray(parsed) ? { kind: "batch", items: parsed } : classify(parsed));
}

function read(text: string): Incoming {
  const incoming = parse(text);
  // what is short cannot nest deep: each level takes two characters
  return text.length > 2 * maxDepth ? shallow(incoming) : incoming;
}

/** How deep a message may nest: validators and handlers go down level by level, and the stack has an end. */
const maxDepth = 512;

/** Refuses what nests too deep, in the name of its id. */
function shallow(incoming: Incoming): Incoming {
  const { kind } = incoming;
  if (kind === "malformed" || !isDeeper(kind === "batch" ? incoming.items : incoming.message, maxDepth))
    return incoming;
  const error = { code: rpcCodes.invalidRequest, message: `the message nests more than ${maxDepth} levels deep` };
  return { kind: "malformed", meant: "unknown", id: kind === "request" ? incoming.message.id : undefined, error };
}

/** Goes no deeper than it has to, so that it has stack enough itself. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/** The answer to a body that holds no message: what `readIncoming` threw, or found. */
export function unreadable(fault: Malformed | unknown): HttpReply {
  if (isMalformed(fault)) {
    const { id, meant, error } = fault;
    // an id that came with something else is none that we were asked under
    return jsonReply(encodeError(meant === "request" || meant === "unknown" ? id : undefined, error), 400);
  }
  if (!(fault instanceof LocalError)) return refusal(400, rpcCodes.parseError, "The body could not be read");
  return fault.code === "FRAME_TOO_LONG"
    ? emptyReply(413, { connection: "close" })
    : refusal(400, rpcCodes.parseError, fault.message);
}

function isMalformed(fault: Malformed | unknown): fault is Malformed {
  return typeof fault === "object" && fault !== null && "kind" in fault && fault.kind === "malformed";
}
