import {
  connect,
  derive,
  type JsonObject,
  memoryPair,
  type Peer,
  type Principal,
  type RequestId,
} from "@parlance/jsonrpc";
import type { Server } from "./index.js";

// A client of the stateless era by its text, for the tests of listening; no part of the package.

/** A message as it came. */
export interface Heard {
  readonly id?: RequestId;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Listener {
  readonly heard: readonly Heard[];
  send(message: JsonObject): void;
  /** Asks to listen. */
  listen(id: RequestId, notifications: unknown): void;
  /** Settles when so many messages have come. */
  came(count: number): Promise<readonly Heard[]>;
  /** Until `go`, nothing more is read. */
  holdBack(): { go(): void };
  readonly served: Peer;
  end(): Promise<void>;
}

export const envelope: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const subscriptionId = "io.modelcontextprotocol/subscriptionId";

export async function connectListener(server: Server, principal?: Principal): Promise<Listener> {
  const [near, far] = memoryPair();
  const heard: Heard[] = [];
  const waiting = new Map<number, () => void>();
  let held: Promise<void> | undefined;
  const channel = await near({
    frame: (text) => {
      heard.push(JSON.parse(text));
      waiting.get(heard.length)?.();
      return held;
    },
    lost: () => {},
    closed: () => {},
  });
  const served = await connect(far, {
    request: (message, exchange) =>
      server.request(message, principal === undefined ? exchange : derive(exchange, { principal })),
    notification: (message, connection) => server.notification?.(message, connection),
  });
  const send = (message: JsonObject): void => void channel.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  return {
    heard,
    send,
    listen: (id, notifications) =>
      send({ id, method: "subscriptions/listen", params: { notifications, _meta: envelope } }),
    came: async (count) => {
      if (heard.length < count) await new Promise<void>((resolve) => waiting.set(count, resolve));
      return heard;
    },
    holdBack: () => {
      let go = (): void => {};
      held = new Promise((resolve) => {
        go = () => {
          held = undefined;
          resolve();
        };
      });
      return { go: () => go() };
    },
    served,
    end: () => channel.close(),
  };
}
