import { type Connection, type Exchange, type Handler, isPromise, type Notify, type RequestId, type RpcNotification, type RpcRequest } from "@parlance/jsonrpc";
