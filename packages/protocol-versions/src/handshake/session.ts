import type { Handler, JsonObject, Peer, Result, RpcRequest } from "@parlance/jsonrpc";
import type { CallOptions, CallResult, ClientSelf, ServerAnnouncement, Session } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { isImplementation } from "../model/implementation.js";
import { createProgressTokens, type ProgressTokens, progressMethod } from "../progress-tokens.js";
import type { ProtocolVersion } from "../version.js";
import { handshakeMethods } from "./initialize.js";
import { introductionTo } from "./introduction.js";

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
export function readAnnouncement(result: JsonObject, version: ProtocolVersion): ServerAnnouncement {
  const { serverInfo, capabilities, instructions } = result;
  const announced = isJsonObject(capabilities) ? capabilities : {};
  const implied = introductionTo(version).impliesCompletions ? { completions: {} } : undefined;
  return {
    info: isImplementation(serverInfo) ? serverInfo : undefined,
    capabilities: { ...implied, ...announced },
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}

export function createSession(peer: Peer, ear: Ear, version: ProtocolVersion, server: ServerAnnouncement): Session {
  const { tokens } = ear;

  /** All of a request in one function: each function that waits costs about as much as the rest of a call. */
  async function call(method: string, params: JsonObject, options: CallOptions | undefined): Promise<CallResult> {
    const token = options?.onProgress && tokens.issue(options);
    try {
      const sent = token === undefined ? params : withToken(params, token);
      // in this era a result says nothing of its kind
      return { type: "complete", result: await peer.request(method, sent, options) };
    } finally {
      if (token !== undefined) tokens.retire(token);
    }
  }

  return {
    era: "handshake",
    version,
    server,
    call,
    ping: async (options) => void (await peer.request(handshakeMethods.ping, {}, options)),
    request: ear.request,
    notification: ear.notification,
  };
}

function withToken(params: JsonObject, progressToken: number): JsonObject {
  const { _meta: meta } = params;
  return { ...params, _meta: isJsonObject(meta) ? { ...meta, progressToken } : { progressToken } };
}
