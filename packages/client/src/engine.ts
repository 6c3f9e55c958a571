import type { JsonObject } from "@parlance/jsonrpc";
import type { CallResult, Session } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import { type Inner, inner } from "./inner.js";
import { checkAnnounced } from "./need.js";
import { type RequestOptions, Waiting } from "./waiting.js";

/** What all clients can do, with what parts they were connected with. */
export function createClient(parts: Inner): Client {
  const { upkeep, closing } = parts;

  /** All of a request in one function: each function that waits costs about as much as the rest of a call. */
  async function act<A, T>(
    method: string,
    options: RequestOptions,
    send: (session: Session, waiting: Waiting) => Promise<A>,
    reader: () => (answer: A) => T | Promise<T>,
  ): Promise<T> {
    // what cannot be read is not asked for
    const read = reader();
    const waiting = new Waiting(method, options, parts);
    try {
      return read(await upkeep.run(({ session }) => send(session, waiting), waiting));
    } finally {
      waiting.end();
    }
  }

  function ask<T>(
    method: string,
    params: JsonObject,
    options: RequestOptions,
    reader: () => (answer: CallResult) => T | Promise<T>,
  ): Promise<T> {
    const { meta } = options;
    const send = (session: Session, waiting: Waiting): Promise<CallResult> => {
      checkAnnounced(method, session.server);
      return parts.send(session, method, meta === undefined ? params : { ...params, _meta: meta }, waiting);
    };
    return act(method, options, send, reader);
  }

  const client: Client = {
    [inner]: parts,
    get server() {
      const { era, version, server } = upkeep.live.session;
      const { info, capabilities, instructions } = server;
      return { era, version, info, capabilities, instructions };
    },
    callTool: (name, args = {}, options = {}) =>
      ask("tools/call", { name, arguments: args }, options, () => parts.readerOf(client, name, options)),
    request: (method, params = {}, options = {}) =>
      ask(method, params, options, () => (answer) => parts.resultOf(method, answer)),
    notify: (method, params = {}) => upkeep.run(({ peer }) => peer.notify(method, params)),
    ping: (options = {}) =>
      act(
        "ping",
        options,
        (session, waiting) => session.ping(waiting),
        () => () => {},
      ),
    close: () => {
      for (const end of closing) end();
      return upkeep.close();
    },
  };
  return client;
}
