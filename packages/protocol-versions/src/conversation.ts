import { type Ask, createSlots, type JsonObject, type RpcNotification } from "@parlance/jsonrpc";
import type { CallOptions, ClientSelf, ServerAnnouncement, Session } from "./era.js";
import type { ProtocolVersion } from "./version.js";

const progressMethod = "notifications/progress";

/** A session as its era sees it: what is spoken may be settled anew. */
export interface LiveSession extends Session {
  version: ProtocolVersion;
  server: ServerAnnouncement;
}

/** What of a request is an era's own. */
export interface Manner {
  readonly request: Ask;
  /** The parameters as they are sent. */
  dress(params: JsonObject, options: CallOptions | undefined, progressToken: number | undefined): JsonObject;
  /** Prepares for sending once more what was refused. @throws the error, where that is of no use */
  again(error: unknown, sent: JsonObject): void;
}

/** The requests of one session, and whatever is heard while they wait. */
export interface Conversation {
  ask<T>(
    method: string,
    params: JsonObject,
    options: CallOptions | undefined,
    read: (result: JsonObject) => T,
  ): Promise<T>;
  notification(message: RpcNotification): void;
}

/**
 * Sends requests, and takes progress to the call that it is of. Tokens are integers, each used once. Progress that is late
 * is dropped: a server cannot know that its answer has overtaken it.
 */
export function converse(self: ClientSelf, manner: Manner): Conversation {
  const calls = createSlots<{ readonly number: number; readonly onProgress: CallOptions["onProgress"] }>();
  let issued = 0;

  function issue(onProgress: CallOptions["onProgress"]): number {
    issued = calls.next();
    calls.add({ number: issued, onProgress });
    return issued;
  }

  return {
    /** All of a request in one function: each function that waits costs about as much as the rest of a call. */
    async ask(method, params, options, read) {
      const token = options?.onProgress && issue(options.onProgress);
      let sent = manner.dress(params, options, token);
      try {
        let result: JsonObject;
        try {
          result = await manner.request(method, sent, options);
        } catch (error) {
          manner.again(error, sent);
          sent = manner.dress(params, options, token);
          result = await manner.request(method, sent, options);
        }
        return read(result);
      } finally {
        calls.take(token);
      }
    },
    notification(message) {
      const { progressToken: token, progress, total, message: text } = message.params ?? {};
      if (message.method !== progressMethod || typeof token !== "number" || !(token > 0 && token <= issued)) {
        self.heard?.(message);
      } else if (typeof progress === "number") {
        const hear = calls.get(token)?.onProgress;
        hear?.(progress, typeof total === "number" ? total : undefined, typeof text === "string" ? text : undefined);
      }
    },
  };
}
