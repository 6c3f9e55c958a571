import { type Agreed, type Connection, type Result, RpcError, type RpcRequest, rpcCodes } from "@parlance/jsonrpc";
import { createCall } from "../call.js";
import { mergeCapabilities } from "../capability.js";
import type { ServerEra, ServerFacts } from "../era.js";
import { memo } from "../memo.js";
import { featureFor, run } from "../serving.js";
import type { ProtocolVersion } from "../version.js";
import { initializedMethod, initializeMethod, pingMethod, subscribeMethod } from "./initialize.js";
import { type SpokenRevision, speak } from "./revision.js";
import { Session } from "./state.js";
import { batchVersion, type HandshakeOptions, newestFirst } from "./versions.js";

/** A revision, and what sessions in it agreed on: one object for very many. */
interface Spoken {
  readonly under: SpokenRevision;
  readonly agreed: Agreed;
}

/**
 * The server side of the era that starts with `initialize`: one session a connection.
 * @throws LocalError `INVALID_ARGUMENT` when `versions` is empty or names a version that cannot be spoken
 * @see MCP 2025-11-25, basic/lifecycle
 * @stable
 */
export function handshakeServer(options: HandshakeOptions = {}): ServerEra {
  const versions = newestFirst(options);
  const spoken = new Map<ProtocolVersion, Spoken>();
  const sessions = new WeakMap<Connection, Session>();

  /** The version asked for if it is on, else the newest that is on. */
  function speakAs(asked: unknown): Spoken {
    const version = versions.find((known) => known === asked) ?? versions[0];
    const batches = version === batchVersion ? options.batches : undefined;
    return memo(spoken, version, () => ({ under: speak(version), agreed: { version, batches } }));
  }

  function initialize({ params }: RpcRequest, connection: Connection, server: ServerFacts): Result {
    if (sessions.has(connection)) {
      throw new RpcError(rpcCodes.invalidRequest, "this session is initialized already");
    }
    const { under, agreed } = speakAs(params?.["protocolVersion"]);
    const { version } = under;
    connection.agreed?.(agreed);
    const session = new Session(under, connection, server, params);
    sessions.set(connection, session);
    for (const set of server.features) set.session?.(session);
    const isTold = connection.notify !== undefined && server.methods.has(subscribeMethod);
    return {
      protocolVersion: version,
      capabilities: under.downgrade("ServerCapabilities", mergeCapabilities(server.features, isTold)),
      serverInfo: under.downgrade("Implementation", server.info),
      instructions: server.instructions,
    };
  }

  /** HTTP may do without: then each request is a session of its own. */
  function withoutSession(connection: Connection, server: ServerFacts): Session {
    const version = connection.revisionAmong?.(versions);
    if (version === undefined) {
      const message = "a session starts with initialize, which has not come yet";
      throw new RpcError(rpcCodes.invalidRequest, message, { early: true });
    }
    return new Session(speakAs(version).under, connection, server);
  }

  return {
    name: "handshake",
    versions,
    claims: ({ method }, connection) =>
      method === initializeMethod ||
      method === pingMethod ||
      connection.revisionAmong !== undefined ||
      sessions.has(connection),
    serve(request, exchange, server) {
      const { method } = request;
      const { connection } = exchange;
      if (method === pingMethod) return {};
      if (method === initializeMethod) return initialize(request, connection, server);
      const session = sessions.get(connection) ?? withoutSession(connection, server);
      const { spoken, caller } = session;
      const call = createCall({ request, exchange, server, session }, spoken.version, caller);
      return run(featureFor(method, server), call, spoken);
    },
    notice({ method }, connection) {
      if (method === initializedMethod) sessions.get(connection)?.begin();
    },
  };
}
