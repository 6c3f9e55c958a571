import { rpcCodes } from "@parlance/jsonrpc";
import { encodeError } from "@parlance/jsonrpc/codec";
import type { HttpReply } from "./http.js";

const json: Readonly<Record<string, string>> = { "content-type": "application/json" };

/** An answer whose body is JSON text. */
export function jsonReply(text: string, status = 200, headers?: Readonly<Record<string, string>>): HttpReply {
  return { status, headers: headers === undefined ? json : { ...json, ...headers }, body: text };
}

/** An answer without a body, such as 202 for a notification. */
export function emptyReply(status: number, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return { status, headers };
}

/** What a new request gets, and one that was given up, when the server closes. */
export const closingReply: HttpReply = /* @__PURE__ */ emptyReply(503, { "retry-after": "1" });

/** A refusal that is no answer to a request: a JSON-RPC error without an id. */
export function refusal(status: number, message: string, code: number = rpcCodes.invalidRequest): HttpReply {
  return jsonReply(encodeError(undefined, { code, message }), status);
}

/** Whether headers can be sent as they are: token names, and values without line breaks or anything beyond ASCII. */
export function areSendable(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).every((header) =>
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\x20-\x7e\t]*$/.test(header.join(":")),
  );
}
