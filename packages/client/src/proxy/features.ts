import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import {
  type Call,
  type Feature,
  type FeatureSet,
  type LogLevel,
  logging,
  type Outcome,
  type ServerCapabilities,
} from "@parlance/protocol-versions";
import type { Client } from "../client.js";
import { inner } from "../inner.js";
import { onLog, setLogLevel } from "../log.js";
import { lists, promises, remoteChanges } from "./changes.js";
import { type Flow, keptState, remoteState, startFlow } from "./flow.js";
import { compareHeaders, type ReadHeaders } from "./headers.js";
import { refusalIn } from "./hop.js";
import { relayOf } from "./pass-questions.js";

/**
 * How a server is passed on.
 * @stable
 */
export interface ProxyOptions {
  /**
   * Whose a call is. What a server asks or logs without saying for which of several calls reaches an owner's last call, and
   * never another owner's. Default: the `principal` of the call; without one each call is nobody's. `() => "me"` where all
   * calls are one user's.
   */
  readonly owner?: ((call: Call) => string | undefined) | undefined;
  /** The least severe log message asked of the server; of those callers get what they asked for. Default `debug`. */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Compares what HTTP repeats of arguments in headers, where tools ask for it: `parameterHeaders` of
   * `@parlance/transport-http`. Default: nobody compares, which is enough where nothing on the way decides by headers.
   */
  readonly headers?: ReadHeaders | undefined;
}

const methods: Readonly<Record<string, readonly string[]>> = {
  tools: ["tools/list", "tools/call"],
  prompts: ["prompts/list", "prompts/get"],
  resources: ["resources/list", "resources/templates/list", "resources/read"],
  completions: ["completion/complete"],
};

/**
 * What a server has, as a feature set for another: of any revision, for callers of any revision. Names, results, errors and
 * `_meta` pass unchanged, unknown members too; progress, cancellation, logs and changes pass as well, and, with
 * `passQuestions()` on the client and `questions()` among the features, what the server asks. Several are put together by
 * `combine` and `mount` of `@parlance/server/compose`.
 * @throws LocalError `INVALID_ARGUMENT` while it is not known what the server has, because a verdict kept it from being asked
 * @stable
 */
export function proxyFeatures(client: Client, options: ProxyOptions = {}): FeatureSet {
  const { owner = principalOf, logLevel = "debug", headers } = options;
  const parts = client[inner];
  const { server } = parts.upkeep.live.session;
  const capabilities: ServerCapabilities = server.capabilities;
  if (server.remembered === true && Object.keys(capabilities).length === 0) {
    throw new LocalError("INVALID_ARGUMENT", "what the server has is not known yet; await client.ping() first");
  }
  const relay = relayOf(parts);
  const running = new Set<Flow>();

  async function pass(call: Call): Promise<Outcome> {
    const { requestState: state } = call;
    const asking = relay?.asks(call) === true;
    const isKept = asking && state?.startsWith(keptState) === true;
    if (state !== undefined && !isKept && !state.startsWith(remoteState)) {
      const message = "requestState is not what this call was given";
      return { type: "refused", reason: "invalid_params", message };
    }
    const flow =
      isKept && relay !== undefined ? relay.find(call) : startFlow(parts, call, owner(call), relay !== undefined);
    running.add(flow);
    void flow.ended.then(() => running.delete(flow));
    return asking && relay !== undefined ? relay.run(flow, call) : flow.round(call, "");
  }

  const feature: Feature = (call) =>
    pass(call).catch((error: unknown) => {
      const refused = refusalIn(call.method, error);
      if (refused === undefined) throw error;
      return refused;
    });

  function featureOf(method: string): Feature {
    return headers && method === "tools/call" ? compareHeaders(client, headers, feature) : feature;
  }

  const has = Object.entries(methods).filter(([name]) => server.capabilities[name] !== undefined);
  const changes = remoteChanges(client, capabilities);
  const logs = capabilities.logging && passLogs(client, logLevel, running);
  return {
    ...changes,
    ...logs,
    capabilities: { ...logs?.capabilities, ...Object.fromEntries(has.map(([name]) => [name, {}])) },
    promises: passedPromises(capabilities),
    methods: Object.fromEntries(has.flatMap(([, names]) => names.map((method) => [method, featureOf(method)]))),
    protocol: { ...changes.protocol, ...logs?.protocol },
  };
}

function passedPromises(capabilities: ServerCapabilities): JsonObject {
  return Object.fromEntries(
    lists.map((name) => [
      name,
      Object.fromEntries(["listChanged", "subscribe"].filter((one) => promises(capabilities[name], one)).map(yes)),
    ]),
  );
}

function yes(name: string): readonly [string, true] {
  return [name, true];
}

/** Logs of a server say nothing of calls either; those that come while there is none are nobody's. */
function passLogs(client: Client, level: LogLevel, running: ReadonlySet<Flow>): FeatureSet {
  const { closing, report } = client[inner];
  const end = onLog(client, (message) => {
    const [first, ...others] = running;
    if (first === undefined) return;
    const isOne =
      others.length === 0 || (first.owner !== undefined && others.every((one) => one.owner === first.owner));
    if (isOne) void (others.at(-1) ?? first).log(message.level, message.data, message.logger);
  });
  closing.add(end);
  setLogLevel(client, level).catch((error: unknown) =>
    report({ kind: "not_restored", method: "logging/setLevel", error }),
  );
  return logging();
}

function principalOf({ principal }: Call): string | undefined {
  return principal?.id;
}
