import { LocalError, rpcCodes } from "@parlance/jsonrpc";
import { classify, encodeError, type Incoming, type Malformed, parse, refusal } from "@parlance/jsonrpc/codec";
import { decodeText } from "./body.js";
import type { HttpReply, HttpRequest } from "./http.js";
import { jsonReply } from "./reply.js";

/**
 * Reads the message of a request. A framework may have parsed the body, or only read it; then its limit counts.
 * @throws LocalError `FRAME_TOO_LONG`
 */
export async function readIncoming(request: HttpRequest, maxBodyBytes: number): Promise<Incoming> {
  const { parsed } = request;
  try {
    if (parsed === undefined) return read(await request.readText(maxBodyBytes));
    if (typeof parsed === "string") return read(parsed);
    if (parsed instanceof Uint8Array) return read(decodeText(parsed));
    return shallow(Array.isArray(parsed) ? { kind: "batch", items: parsed } : classify(parsed));
  } catch (error) {
    const isOurs = error instanceof LocalError;
    if (isOurs && error.code === "FRAME_TOO_LONG") throw error;
    return malformed(undefined, rpcCodes.parseError, isOurs ? error.message : "The body could not be read");
  }
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
  const id = kind === "request" ? incoming.message.id : undefined;
  return malformed(id, rpcCodes.invalidRequest, `the message nests more than ${maxDepth} levels deep`);
}

function malformed(id: Malformed["id"], code: number, message: string): Malformed {
  return { kind: "malformed", meant: "unknown", id, error: { code, message } };
}

/** Goes no deeper than it has to, so that it has stack enough itself. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** The answer to a body that holds no message. An id that came with something else is none that we were asked under. */
export function unreadable(fault: Malformed): HttpReply {
  return jsonReply(refusal(fault) ?? encodeError(undefined, fault.error), 400);
}
