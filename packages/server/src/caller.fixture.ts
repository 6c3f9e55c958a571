import { answer, type Connection, type JsonObject, type Principal } from "@parlance/jsonrpc";
import type { FeatureSet } from "@parlance/protocol-versions";
import { createServer, type FeatureMiddleware, type Server, type ServerEra } from "./index.js";

// What the tests of feature sets speak through; no part of the package.

const envelope: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** What a caller reads: a result or an error. */
interface Reply {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Caller {
  ask(method: string, params?: JsonObject): Promise<Reply>;
  /** The notifications that came outside a request. */
  readonly told: readonly { readonly method: string; readonly params: JsonObject }[];
  /** Ends the connection. */
  end(): void;
}

interface Session extends Caller {
  readonly welcome: Reply;
}

export interface Serving {
  readonly server: Server;
  /** Speaks statelessly. */
  visitor(principal?: Principal): Caller;
  /** Opens a session. */
  session(protocolVersion?: string, principal?: Principal): Promise<Session>;
}

/** A server of some feature sets, as callers of its eras see it; a test that names them goes when one of them goes. */
export function serving(
  features: readonly FeatureSet[],
  eras: readonly ServerEra[],
  middleware: readonly FeatureMiddleware[] = [],
): Serving {
  const server = createServer({ info: { name: "test", version: "1.0.0" }, features, eras, middleware });

  async function send(request: JsonObject, connection: Connection, principal?: Principal): Promise<Reply> {
    return JSON.parse((await answer(server, JSON.stringify(request), { connection, principal })) ?? "null");
  }

  function visitor(principal?: Principal): Caller {
    const connection: Connection = { closed: new AbortController().signal };
    return {
      ask: (method, params = {}) =>
        send({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: envelope } }, connection, principal),
      told: [],
      end: () => {},
    };
  }

  async function session(protocolVersion = "2025-11-25", principal?: Principal): Promise<Session> {
    const closing = new AbortController();
    const told: { method: string; params: JsonObject }[] = [];
    const notify = async (method: string, params: JsonObject): Promise<void> => void told.push({ method, params });
    const connection: Connection = { closed: closing.signal, notify };
    const ask = (method: string, params: JsonObject = {}): Promise<Reply> =>
      send({ jsonrpc: "2.0", id: 1, method, params }, connection, principal);
    const clientInfo = { name: "c", version: "1" };
    const welcome = await ask("initialize", { protocolVersion, capabilities: {}, clientInfo });
    await answer(server, JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }), { connection });
    return { ask, told, welcome, end: () => closing.abort() };
  }

  return { server, visitor, session };
}

/** Until what was announced in this turn is told. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
}
