import {
  type Ask,
  type Connection,
  type Exchange,
  LocalError,
  type Result,
  RpcError,
  type RpcRequest,
  rpcCodes,
  serialized,
} from "@parlance/jsonrpc";
import { createCall } from "../call.js";
import { questionsOf } from "../capability.js";
import type { ServerEra, ServerFacts } from "../era.js";
import type { Feature, FeatureSet, Outcome } from "../feature.js";
import { handshakeVersions, type ProtocolVersion } from "../version.js";
import { createAnnouncer } from "./announce.js";
import { assumedRevision, handshakeRevision } from "./differences.js";
import { createDowngrade } from "./downgrade.js";
import { chooseVersion, handshakeMethods } from "./initialize.js";
import { defaultLogLevel, readLevel } from "./logging.js";
import { admissible } from "./refusal.js";
import { shapeOutcome } from "./result.js";
import { createState, readCaller, type SessionState, type SpokenRevision } from "./state.js";
import { createWelcome, type Welcome } from "./welcome.js";

const empty: Result = serialized("{}");

/**
 * How a server speaks the handshake era.
 * @stable
 */
export interface HandshakeServerOptions {
  /** The versions to speak. Default: all but 2025-03-26, the only one with batches. */
  readonly versions?: readonly ProtocolVersion[] | undefined;
}

/**
 * The server side of the era that starts with `initialize`: one session a connection.
 * @throws LocalError `INVALID_ARGUMENT` when `versions` is empty or names a version of another era
 * @see MCP 2025-11-25, basic/lifecycle
 * @stable
 */
export function handshakeServer(options: HandshakeServerOptions = {}): ServerEra {
  const versions = newestFirst(options.versions ?? handshakeVersions.default);
  const sessions = new WeakMap<Connection, SessionState>();
  const spoken = new Map<ProtocolVersion, SpokenRevision>();
  const welcomes = new WeakMap<ServerFacts, Map<string, Welcome>>();

  function speak(version: ProtocolVersion): SpokenRevision {
    const known = spoken.get(version);
    if (known !== undefined) {
      return known;
    }
    const revision = handshakeRevision(version);
    const made = { revision, downgrade: createDowngrade(revision), texts: new WeakMap() };
    spoken.set(version, made);
    return made;
  }

  function welcomeFrom(server: ServerFacts, under: SpokenRevision, notifies: boolean): Welcome {
    const made = welcomes.get(server) ?? new Map<string, Welcome>();
    welcomes.set(server, made);
    const key = `${under.revision.version} ${notifies}`;
    const welcome = made.get(key) ?? createWelcome(server, under, notifies);
    made.set(key, welcome);
    return welcome;
  }

  function initialize({ params }: RpcRequest, connection: Connection, server: ServerFacts): Result {
    if (sessions.has(connection)) {
      throw new RpcError(rpcCodes.invalidRequest, "this session is initialized already");
    }
    const under = speak(chooseVersion(params?.["protocolVersion"], versions));
    const { version, batches } = under.revision;
    const { notify } = connection;
    const welcome = welcomeFrom(server, under, notify !== undefined);
    connection.agreed?.({ version, batches });
    const announcer =
      notify !== undefined && welcome.promised.size > 0
        ? createAnnouncer(server.changes, notify, welcome.promised)
        : undefined;
    const caller = readCaller(params, under.revision);
    sessions.set(connection, createState(under, caller, welcome.logs ? defaultLogLevel : undefined, announcer));
    const forget = (): void => {
      announcer?.stop();
      sessions.delete(connection);
    };
    connection.closed.addEventListener("abort", forget, { once: true });
    if (connection.closed.aborted) {
      forget();
    }
    return welcome.result;
  }

  /** A connection without a session says, or leaves us to assume, what each request is under. */
  function withoutSession({ revision }: Connection, server: ServerFacts): SessionState {
    if (revision === undefined) {
      throw new RpcError(rpcCodes.invalidRequest, "a session starts with initialize, which has not come yet", {
        early: true,
      });
    }
    const version = revision === null ? assumedRevision.version : versions.find((known) => known === revision);
    if (version === undefined) {
      throw new RpcError(
        rpcCodes.invalidRequest,
        `protocol version ${JSON.stringify(revision)} is not supported; supported are ${versions.join(", ")}`,
        { data: { supported: versions, requested: revision }, early: true },
      );
    }
    const under = speak(version);
    const { logs } = welcomeFrom(server, under, false);
    const state = createState(under, { capabilities: {} }, logs ? defaultLogLevel : undefined, undefined);
    state.begin();
    return state;
  }

  return {
    name: "handshake",
    versions,
    claims: ({ method }, connection) =>
      method === handshakeMethods.initialize ||
      method === handshakeMethods.ping ||
      connection.revision !== undefined ||
      sessions.has(connection),
    serve(request, exchange, server) {
      const { method } = request;
      const { connection } = exchange;
      if (method === handshakeMethods.ping) {
        return empty;
      }
      if (method === handshakeMethods.initialize) {
        return initialize(request, connection, server);
      }
      const state = sessions.get(connection) ?? withoutSession(connection, server);
      if (method === handshakeMethods.setLevel && state.log.level !== undefined) {
        state.log.level = readLevel(request.params);
        return empty;
      }
      const foreign = state.spoken.revision.foreignMethods.includes(method);
      const feature = foreign ? undefined : server.methods.get(method);
      if (feature === undefined) {
        throw new RpcError(rpcCodes.methodNotFound, `method "${method}" does not exist here`);
      }
      return serve(request, exchange, feature, state, server.features);
    },
    notice({ method }, connection) {
      if (method === handshakeMethods.initialized) {
        sessions.get(connection)?.begin();
      }
    },
  };
}

function newestFirst(versions: readonly ProtocolVersion[]): readonly ProtocolVersion[] {
  const foreign = versions.filter((version) => !handshakeVersions.all.includes(version));
  if (foreign.length > 0 || versions.length === 0) {
    const got = versions.length === 0 ? "none" : foreign.join(", ");
    throw new LocalError(
      "INVALID_ARGUMENT",
      `versions must name at least one of ${handshakeVersions.all.join(", ")}, got ${got}`,
    );
  }
  return handshakeVersions.all.filter((version) => versions.includes(version));
}

function serve(
  request: RpcRequest,
  exchange: Exchange,
  feature: Feature,
  state: SessionState,
  features: readonly FeatureSet[],
): Result | Promise<Result> {
  const { spoken, caller, log } = state;
  const call = createCall(request, exchange, {
    version: spoken.revision.version,
    caller,
    progressMessages: spoken.revision.laterFields.ProgressNotificationParams === undefined,
    log,
  });
  const refuse = (thrown: unknown): never => {
    throw admissible(thrown, spoken.revision);
  };
  const finish = (first: Outcome): Result | Promise<Result> =>
    first.type === "input_required"
      ? questionsOf(features)
          .untilDone(feature, call, first, questioner(exchange, state))
          .then((last) => shapeOutcome(last, request, spoken), refuse)
      : shapeOutcome(first, request, spoken);
  let outcome: Outcome | Promise<Outcome>;
  try {
    outcome = feature(call);
  } catch (thrown) {
    return refuse(thrown);
  }
  return "then" in outcome ? outcome.then(finish, refuse) : finish(outcome);
}

/** Puts questions in the session's words, once the client said that it is ready. */
function questioner(exchange: Exchange, state: SessionState): Ask {
  return async (method, params, options) => {
    const { request, signal } = exchange;
    if (request === undefined) {
      throw new LocalError("UNSUPPORTED", "this connection cannot carry questions to the client");
    }
    if (state.ready !== undefined) {
      await Promise.race([state.ready, aborted(signal)]);
    }
    return request(method, state.spoken.downgrade(method, params), options);
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
