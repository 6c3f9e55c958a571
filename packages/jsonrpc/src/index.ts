export { answer } from "./answer.js";
export type { Batches, Reply } from "./batch.js";
export { batches } from "./batch.js";
export { createCalls } from "./calls.js";
export { serialized } from "./codec.js";
export { connect, over, serve } from "./connect.js";
export type { AccessErrorOptions, LocalErrorCode, LocalErrorOptions, RpcErrorOptions } from "./error.js";
export { AccessError, LocalError, RpcError, rpcCodes } from "./error.js";
export { derive } from "./exchange.js";
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
export { serializedText, unanswered } from "./handler.js";
export { memoryPair } from "./memory.js";
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
export type { ConnectOptions } from "./peer.js";
export type { Report } from "./report.js";
export { createRunning } from "./running.js";
export type { Numbered, Slots } from "./slots.js";
export { createSlots } from "./slots.js";
export type { Channel, Sink, Transport } from "./transport.js";
