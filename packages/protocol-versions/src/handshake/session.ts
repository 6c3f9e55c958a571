import { type Handler, type JsonObject, LocalError, type Peer, type Result, type RpcRequest } from "@parlance/jsonrpc";
import type { CallOptions, CallResult, ClientSelf, ServerAnnouncement, Session } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { isImplementation } from "../model/implementation.js";
import { createProgressTokens, type ProgressTokens, progressMethod } from "../progress-tokens.js";
import type { ProtocolRevision } from "../revision.js";
import { handshakeMethods } from "./initialize.js";

/** What answers the server, from before the handshake on. */
export interface Ear extends Required<Handler> {
  readonly tokens: ProgressTokens;
}

/**
 * Answers a `ping` at any time, passes other questions to the client, and takes progress to its call.
 * @see MCP 2025-11-25, basic/utilities/ping
 */
export function createEar(self: ClientSelf): Ear {
  const tokens = createProgressTokens();
  return {
    tokens,
    request: (message: RpcRequest, exchange): Result | Promise<Result> =>
      message.method === handshakeMethods.ping
        ? {}
        : self.answer(message.method, message.params ?? {}, exchange.signal),
    notification: (message) => {
      if (message.method === progressMethod && tokens.deliver(message.params)) return;
      self.heard?.(message);
    },
  };
}

/** Reads what a server says of itself from the result of the handshake. */
export function readAnnouncement(result: JsonObject, revision: ProtocolRevision): ServerAnnouncement {
  const { serverInfo, capabilities, instructions } = result;
  const announced = isJsonObject(capabilities) ? capabilities : {};
  // a revision that cannot announce completions lets every server have them
  const implied = revision.laterFields.ServerCapabilities?.includes("completions") ? { completions: {} } : undefined;
  return {
    info: isImplementation(serverInfo) ? serverInfo : undefined,
    capabilities: { ...implied, ...announced },
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}

export function createSession(peer: Peer, ear: Ear, revision: ProtocolRevision, server: ServerAnnouncement): Session {
  const { tokens } = ear;

  /** All of a request in one function: each function that waits costs about as much as the rest of a call. */
  async function ask<T>(
    method: string,
    params: JsonObject,
    options: CallOptions | undefined,
    read: (result: JsonObject) => T,
  ): Promise<T> {
    if (revision.foreignMethods.includes(method)) throw foreign(method, revision);
    if (options?.onProgress === undefined) return read(await peer.request(method, params, options));
    const token = tokens.issue(options);
    try {
      return read(await peer.request(method, withToken(params, token), options));
    } finally {
      tokens.retire(token);
    }
  }

  return {
    era: "handshake",
    version: revision.version,
    server,
    call: (method, params, options) => ask(method, params, options, complete),
    ping: (options) => ask(handshakeMethods.ping, {}, options, () => {}),
    request: ear.request,
    notification: ear.notification,
  };
}

/** In this era a result says nothing of its kind. */
function complete(result: JsonObject): CallResult {
  return { type: "complete", result };
}

function foreign(method: string, { version }: ProtocolRevision): LocalError {
  const message = `${method} does not exist in ${version}, which this session speaks`;
  return new LocalError("UNSUPPORTED", message, { details: { method, version } });
}

function withToken(params: JsonObject, progressToken: number): JsonObject {
  const { _meta: meta } = params;
  return { ...params, _meta: isJsonObject(meta) ? { ...meta, progressToken } : { progressToken } };
}
