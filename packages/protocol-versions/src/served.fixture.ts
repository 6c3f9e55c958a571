import {
  type Connection,
  type Exchange,
  type Handler,
  type JsonObject,
  type Result,
  RpcError,
  type RpcRequest,
  serializedText,
} from "@parlance/jsonrpc";
import { encodeResult } from "@parlance/jsonrpc/codec";
import { announcing } from "./announcing.js";
import type { ChangeBus } from "./change.js";
import type { ServerEra, ServerFacts } from "./era.js";
import type { Feature, FeatureSet, Outcome } from "./feature.js";
import { questions } from "./questions.js";
import { statelessVersions } from "./version.js";

// What the tests of both server sides are made of; no part of the package.

export const never: AbortSignal = new AbortController().signal;

export function factsOf(
  eras: readonly ServerEra[],
  methods: Readonly<Record<string, Feature>> = {},
  capabilities: JsonObject = { tools: {} },
  change: Partial<ServerFacts> = {},
): ServerFacts {
  const { features = [{ ...announcing, capabilities, methods }, questions()] } = change;
  return {
    info: { name: "Telaria MCP", version: "1.0.0" },
    versions: eras.flatMap((era) => era.versions),
    methods: servedMethods(features, methods),
    changes: silentBus,
    closing: never,
    ...change,
    features,
  };
}

/** As a server without middleware has them. */
function servedMethods(
  features: readonly FeatureSet[],
  methods: Readonly<Record<string, Feature>>,
): ReadonlyMap<string, Feature> {
  const all: Readonly<Record<string, Feature>> = Object.assign({}, ...features.map((set) => set.protocol), methods);
  const around = (feature: Feature): Feature =>
    features.reduceRight((next, { outside }) => outside?.(next) ?? next, feature);
  return new Map(Object.entries(all).map(([method, feature]) => [method, around(feature)]));
}

const silentBus: ChangeBus = { publish: () => {}, subscribe: () => () => {} };

/** The `_meta` of a request in the stateless era. */
export function envelope(change: JsonObject = {}): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": statelessVersions[0],
    "io.modelcontextprotocol/clientCapabilities": {},
    ...change,
  };
}

export function request(method: string, params?: JsonObject | undefined): RpcRequest {
  return params === undefined ? { jsonrpc: "2.0", id: 1, method } : { jsonrpc: "2.0", id: 1, method, params };
}

export function stateless(method: string, params: JsonObject = {}, meta: JsonObject = {}): RpcRequest {
  return request(method, { ...params, _meta: envelope(meta) });
}

/** A connection without a session, whose requests are under one revision. */
export function under(revision: string): Connection {
  return {
    closed: never,
    revisionAmong: (versions) => {
      const version = versions.find((one) => one === revision);
      if (version === undefined) throw new RpcError(-32600, `${revision} is not on`);
      return version;
    },
  };
}

/** An exchange that keeps what is sent on it. */
export interface TestExchange extends Exchange {
  readonly sent: readonly { readonly method: string; readonly params: JsonObject }[];
}

export function exchangeOn(connection: Connection = { closed: never }, change: Partial<Exchange> = {}): TestExchange {
  const sent: { method: string; params: JsonObject }[] = [];
  return {
    connection,
    signal: never,
    sent,
    async notify(method, params) {
      sent.push({ method, params: wire(params) });
    },
    ...change,
  };
}

/** What a value is once it has crossed the wire. */
export function wire(value: JsonObject): JsonObject {
  return JSON.parse(encodeResult(1, value)).result;
}

function read(result: Result): JsonObject {
  return serializedText in result ? JSON.parse(String(result[serializedText])) : wire(result);
}

/** The result of a request, as its caller reads it. */
export async function serve(
  era: ServerEra,
  message: RpcRequest,
  server: ServerFacts,
  exchange: Exchange = exchangeOn(),
): Promise<JsonObject> {
  return read(await era.serve(message, exchange, server));
}

/** The error of a request. */
export async function refusal(
  era: ServerEra,
  message: RpcRequest,
  server: ServerFacts,
  exchange: Exchange = exchangeOn(),
): Promise<RpcError> {
  try {
    await era.serve(message, exchange, server);
  } catch (error) {
    if (error instanceof RpcError) {
      return error;
    }
    throw error;
  }
  throw new Error(`${message.method} was answered with a result`);
}

export function complete(result: JsonObject): Outcome {
  return { type: "complete", result };
}

/** Eras behind one handler, as a server puts them. */
export function handlerOf(eras: readonly ServerEra[], server: ServerFacts): Handler {
  return {
    request(message, exchange) {
      const era = eras.find((candidate) => candidate.claims(message, exchange.connection)) ?? eras[0];
      if (era === undefined) {
        throw new Error("no era");
      }
      return era.serve(message, exchange, server);
    },
    notification(message, connection) {
      eras.find((candidate) => candidate.claims(message, connection))?.notice?.(message, connection, server);
    },
  };
}
