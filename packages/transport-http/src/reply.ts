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

/** A refusal that is no answer to a request: a JSON-RPC error without an id. */
export function refusal(
  status: number,
  code: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  return jsonReply(JSON.stringify({ jsonrpc: "2.0", error: { code, message } }), status, headers);
}
