/**
 * A JSON object as it stands on the wire. Wire shapes are `type`s, so that they fit here.
 * @stable
 */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * A request id: a string or an integer, compared with its JSON type (`"7"` is not `7`; `0` and `""` are valid).
 * @see JSON-RPC 2.0, section 4
 * @stable
 */
export type RequestId = string | number;

/**
 * A request: it has an id and gets exactly one answer, unless it is cancelled.
 * @stable
 */
export type RpcRequest = {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject | undefined;
};

/**
 * A notification: it has no id and is never answered.
 * @stable
 */
export type RpcNotification = {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: JsonObject | undefined;
};

/**
 * The answer to a request that succeeded.
 * @stable
 */
export type RpcSuccess = { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: JsonObject };

/**
 * The `error` member of an answer.
 * @stable
 */
export type RpcErrorObject = { readonly code: number; readonly message: string; readonly data?: unknown };

/**
 * The answer to a request that failed. Without an id it answers a message whose id could not be read.
 * @stable
 */
export type RpcFailure = {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId | undefined;
  readonly error: RpcErrorObject;
};

/**
 * The answer to a request.
 * @stable
 */
export type RpcResponse = RpcSuccess | RpcFailure;

/**
 * Anything that travels in a frame.
 * @stable
 */
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;
