export { AccessError, LocalError, RpcError, rpcCodes } from "./error.js";
export { serializedText } from "./handler.js";
export type { LocalErrorCode, LocalErrorOptions, RpcErrorOptions } from "./error.js";
export type {
  Agreed,
  Ask,
  Connection,
  Dial,
  Exchange,
  Handler,
  Notify,
  Peer,
  Principal,
  RequestOptions,
  Result,
  Serialized,
} from "./handler.js";
export type {
  JsonObject,
  RequestId,
  RpcErrorObject,
  RpcFailure,
  RpcMessage,
  RpcNotification,
  RpcRequest,
  RpcResponse,
  RpcSuccess,
} from "./message.js";
export type { Channel, Sink, Transport } from "./transport.js";
