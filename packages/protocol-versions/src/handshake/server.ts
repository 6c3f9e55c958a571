import {
  type Connection,
  type Exchange,
  type Result,
  RpcError,
  type RpcRequest,
  rpcCodes,
  serialized,
} from "@parlance/jsonrpc";
import type { Announcements } from "../announcements.js";
import { createCall } from "../call.js";
import { brought, questionsOf } from "../capability.js";
import type { ServerEra, ServerFacts } from "../era.js";
import type { Feature, FeatureSet } from "../feature.js";
import { memo } from "../memo.js";
import { readLogLevel } from "../read.js";
import { featureFor, run } from "../serving.js";
import { handshakeVersions, type ProtocolVersion } from "../version.js";

import { handshakeRevision } from "./differences.js";
import { createDowngrade } from "./downgrade.js";
import { initializedMethod, initializeMethod, pingMethod, setLevelMethod } from "./initialize.js";
import { admissible } from "./refusal.js";
import { shapeOutcome } from "./result.js";
import { createState, readCaller, type SessionState, type SpokenRevision } from "./state.js";
import { createWatcher, subscribing } from "./subscribe.js";
import { newestFirst } from "./versions.js";
import { createWelcome, type Welcome } from "./welcome.js";

const empty: Result = /* @__PURE__ */ serialized("{}");

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
  const announcements = new WeakMap<ServerFacts, Announcements>();

  function speak(version: ProtocolVersion): SpokenRevision {
    return memo(spoken, version, () => {
      const revision = handshakeRevision(version);
      return { revision, downgrade: createDowngrade(revision), texts: new WeakMap() };
    });
  }

  function welcomeFrom(server: ServerFacts, under: SpokenRevision, told: readonly unknown[]): Welcome {
    const made = memo(welcomes, server, () => new Map());
    return memo(made, `${under.revision.version} ${told}`, () => createWelcome(server, under, told));
  }

  /** The version asked for if it is on, else the newest that is on. */
  function initialize({ params }: RpcRequest, connection: Connection, server: ServerFacts): Result {
    if (sessions.has(connection)) {
      throw new RpcError(rpcCodes.invalidRequest, "this session is initialized already");
    }
    const asked = params?.["protocolVersion"];
    const under = speak(versions.find((known) => known === asked) ?? versions[0]);
    const { version, batches } = under.revision;
    const { notify } = connection;
    const announces = notify && brought(server.features, "announces");
    const { promised, result } = welcomeFrom(server, under, [announces && "listChanged", notify && "subscribe"]);
    connection.agreed?.({ version, batches });
    const announcer =
      announces && promised.size > 0
        ? memo(announcements, server, () => announces(server.changes)).add(notify, promised)
        : undefined;
    const watcher = notify && createWatcher(server, notify);
    const caller = readCaller(params, under.revision);
    sessions.set(connection, createState(under, caller, brought(server.features, "logs"), announcer, watcher));
    const forget = (): void => {
      announcer?.stop();
      watcher?.close();
      sessions.delete(connection);
    };
    hearEnd(connection, forget);
    return result;
  }

  function withoutSession(connection: Connection, { features }: ServerFacts): SessionState {
    const version = connection.under?.(versions);
    if (version === undefined) {
      const message = "a session starts with initialize, which has not come yet";
      throw new RpcError(rpcCodes.invalidRequest, message, { early: true });
    }
    const logs = brought(features, "logs");
    const state = createState(speak(version), { capabilities: {} }, logs, undefined, undefined);
    state.begin();
    return state;
  }

  return {
    name: "handshake",
    versions,
    claims: ({ method }, connection) =>
      method === initializeMethod ||
      method === pingMethod ||
      connection.under !== undefined ||
      sessions.has(connection),
    serve(request, exchange, server) {
      const { method } = request;
      const { connection } = exchange;
      if (method === pingMethod) {
        return empty;
      }
      if (method === initializeMethod) {
        return initialize(request, connection, server);
      }
      const state = sessions.get(connection) ?? withoutSession(connection, server);
      if (method === setLevelMethod && state.log !== undefined) {
        state.log.level = readLogLevel(request.params?.["level"]);
        return empty;
      }
      const feature = subscribing(method, state.watcher) ?? featureFor(method, server, state.spoken.revision);
      return serve(request, exchange, feature, state, server.features);
    },
    notice({ method }, connection) {
      if (method === initializedMethod) {
        sessions.get(connection)?.begin();
      }
    },
  };
}

function hearEnd(connection: Connection, listener: () => void): void {
  if (connection.onClosed !== undefined) {
    connection.onClosed(listener);
  } else if (connection.closed.aborted) {
    listener();
  } else {
    connection.closed.addEventListener("abort", listener, { once: true });
  }
}

function serve(
  request: RpcRequest,
  exchange: Exchange,
  feature: Feature,
  state: SessionState,
  features: readonly FeatureSet[],
): Result | Promise<Result> {
  const { spoken, caller, log } = state;
  const { revision } = spoken;
  const call = createCall(request, exchange, {
    version: revision.version,
    caller,
    progressMessages: revision.laterFields.ProgressNotificationParams === undefined,
    log,
  });
  return run(
    feature,
    call,
    (outcome) => {
      if (outcome.type !== "input_required") {
        return shapeOutcome(outcome, request, spoken);
      }
      return questionsOf(features)
        .untilDone(feature, call, outcome, exchange, state)
        .then(
          (last) => shapeOutcome(last, request, spoken),
          (thrown: unknown) => {
            throw admissible(thrown, revision);
          },
        );
    },
    (thrown) => admissible(thrown, revision),
  );
}
