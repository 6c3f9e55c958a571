import { RpcError } from "@parlance/jsonrpc";
import type { HttpRequest } from "../http.js";

/** The code for a header that is missing, malformed, or not what the body says. */
export const headerMismatch = -32020;

/** The longest header value that is read, in characters. */
const maxHeaderLength = 8 * 1024;

const opening = "=?base64?";
const closing = "?=";

/** Whether a value travels as it is: visible ASCII and inner spaces, and nothing that looks encoded. */
function isPlain(value: string): boolean {
  return /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(value) && !isMarked(value);
}

const isMarked = (value: string): boolean => value.startsWith(opening) && value.endsWith(closing);

/**
 * Writes a value so that a header can carry it.
 * @see MCP 2026-07-28, basic/transports/streamable-http, value encoding
 */
export function encodeHeader(value: string): string {
  return isPlain(value) ? value : opening + toBase64(value) + closing;
}

/** Reads a value that may be encoded; nothing when it is malformed. */
export function decodeHeader(value: string): string | undefined {
  if (/[^\x20-\x7e\t]/.test(value)) return undefined;
  return isMarked(value) && value.length >= opening.length + closing.length
    ? fromBase64(value.slice(opening.length, -closing.length))
    : value;
}

/**
 * Reads a header of the protocol: trimmed, and decoded where the protocol encodes it.
 * @throws RpcError −32020 when it is malformed
 */
export function readHeader(request: HttpRequest, name: string): string | undefined {
  const raw = request.headers.get(name)?.trim();
  if (raw === undefined) return undefined;
  if (raw.length > maxHeaderLength) {
    throw new RpcError(headerMismatch, `${name} has ${raw.length} characters; the limit is ${maxHeaderLength}`, {
      early: true,
    });
  }
  const value = /^mcp-(?:name$|param-)/i.test(name) ? decodeHeader(raw) : raw;
  if (value !== undefined) return value;
  throw new RpcError(
    headerMismatch,
    `${name} is neither plain ASCII nor ${opening}…${closing} around base64 of UTF-8`,
    { early: true },
  );
}

function toBase64(text: string): string {
  // not spread: a long text has more bytes than a function takes arguments
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

/** Strict: the standard alphabet, padded, without stray bits, and UTF-8 inside. */
function fromBase64(text: string): string | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (btoa(String.fromCharCode(...bytes)) !== text) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
