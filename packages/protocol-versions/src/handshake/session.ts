import type { Handler, JsonObject, Peer, Result, RpcRequest } from "@parlance/jsonrpc";
import type { CallOptions, CallResult, ClientSelf, ServerAnnouncement, Session } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { isImplementation } from "../model/implementation.js";
import { createProgressTokens, type ProgressTokens, progressMethod } from "../progress-tokens.js";
import type { ProtocolVersion } from "../version.js";
import { pingMethod } from "./initialize.js";
import { introductionTo } from "./introduction.js";

/** What answers the server, from before the handshake on. */
export interface Ear extends Required<Pick<Handler, "request" | "notification">> {
  readonly tokens: ProgressTokens;
  /** What was agreed, once it is. */
  start?: SessionStart | undefined;
  /** Set once there is a session that can be lost. */
  lost?: Handler["lost"];
}

/**
 * Answers a `ping` at any time, passes other questions to the client, and takes progress to its call.
 * @see MCP 2025-11-25, basic/utilities/ping
 */
export function createEar(self: ClientSelf): Ear {
  const tokens = createProgressTokens();
  const ear: Ear = {
    tokens,
    request: (message: RpcRequest, exchange): Result | Promise<Result> => {
      const { method, params = {} } = message;
      if (method === pingMethod) return {};
      return self.answer(method, params, exchange.signal, ear.start);
    },
    notification: (message) => {
      if (message.method === progressMethod && tokens.deliver(message.params)) return;
      self.heard?.(message);
    },
  };
  return ear;
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

/** What a handshake came to. */
export interface SessionStart {
  readonly version: ProtocolVersion;
  readonly server: ServerAnnouncement;
}

/** What a session is made of. */
export interface SessionParts {
  readonly peer: Peer;
  readonly ear: Ear;
  readonly start: SessionStart;
  /** Shakes hands anew, on the same connection. */
  readonly reopen: (signal: AbortSignal) => Promise<SessionStart>;
  readonly self: ClientSelf;
}

export function createSession({ peer, ear, start, reopen, self }: SessionParts): Session {
  const { tokens } = ear;
  let { version, server } = start;

  const renewal = peer.renewing?.({
    peer,
    report: self.report,
    reopen: async (signal) => {
      ({ version, server } = await reopen(signal));
      return version;
    },
  });
  const request = renewal?.request ?? peer.request;

  ear.lost = renewal?.lost;

  /** All of a request in one function: each function that waits costs about as much as the rest of a call. */
  async function call(method: string, params: JsonObject, options: CallOptions | undefined): Promise<CallResult> {
    const token = options?.onProgress && tokens.issue(options);
    try {
      // in this era a result says nothing of its kind
      return { type: "complete", result: await request(method, withToken(params, token), options) };
    } catch (error) {
      if (self.session?.pagesFirst) return self.session.pagesFirst(error, version);
      throw error;
    } finally {
      if (token !== undefined) tokens.retire(token);
    }
  }

  return {
    era: "handshake",
    get version() {
      return version;
    },
    get server() {
      return server;
    },
    call,
    ping: async (options) => void (await call(pingMethod, {}, options)),
    request: ear.request,
    notification: ear.notification,
  };
}

/** Tokens are ours to give: one of the caller's could be that of another call. */
function withToken(params: JsonObject, progressToken: number | undefined): JsonObject {
  const { _meta: meta } = params;
  if (isJsonObject(meta)) return { ...params, _meta: { ...meta, progressToken } };
  return progressToken === undefined ? params : { ...params, _meta: { progressToken } };
}
