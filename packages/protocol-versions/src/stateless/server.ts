import type { Exchange, JsonObject, Result, RpcRequest } from "@parlance/jsonrpc";
import { createCall } from "../call.js";
import { brought, questionsOf } from "../capability.js";
import type { ServerEra, ServerFacts } from "../era.js";
import type { CacheHint, Call, FeatureSet, Outcome } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import type { Listens } from "../listening.js";
import { memo } from "../memo.js";
import type { InputResponses } from "../model/input.js";
import { wrongParam } from "../read.js";
import { refusalError, unsupportedVersion } from "../refusal.js";
import { featureFor, run } from "../serving.js";
import { statelessVersions } from "../version.js";
import { statelessRevisions } from "./differences.js";
import { describeServer } from "./discover.js";
import { discoverMethod, hasEnvelope, listenMethod, readEnvelope, unsupportedVersionCode } from "./envelope.js";
import { admissible, refusalCodes } from "./refusal.js";
import { createResultShaper, type ResultShaper } from "./result.js";

/** What is the same for every request to one server. */
interface Spoken {
  readonly shaper: ResultShaper;
  readonly description: Result;
  readonly logs: FeatureSet["logs"];
  readonly listens: Listens | undefined;
  /** What a request without an envelope is told besides the missing keys. */
  readonly hint: string;
}

/**
 * How the era without a handshake is spoken.
 * @stable
 */
export interface StatelessServerOptions {
  /** How long, and by whom, the answer to `server/discover` may be kept. Default: not at all. */
  readonly cache?: CacheHint | undefined;
}

/**
 * The server side of the era without a handshake: each request is judged by its own `_meta` and nothing else.
 * @see MCP 2026-07-28, basic
 * @stable
 */
export function statelessServer({ cache }: StatelessServerOptions = {}): ServerEra {
  const servers = new WeakMap<ServerFacts, Spoken>();

  function speakFor(server: ServerFacts): Spoken {
    return memo(servers, server, () => {
      const shaper = createResultShaper(server.info);
      const handshakes = server.versions.some((version) => !statelessRevisions.has(version));
      const listens = brought(server.features, "listens")?.(server);
      return {
        shaper,
        listens,
        description: describeServer(server, shaper, listens !== undefined, cache),
        logs: brought(server.features, "logs"),
        hint: handshakes ? "; a session that starts with initialize would also do" : "",
      };
    });
  }

  return {
    name: "stateless",
    versions: statelessVersions,
    claims: (message) => hasEnvelope(message.params),
    serve: (request, exchange, server) => serve(request, exchange, server, speakFor(server)),
  };
}

function serve(request: RpcRequest, exchange: Exchange, server: ServerFacts, spoken: Spoken): Result | Promise<Result> {
  const { method, params } = request;
  if (method === "initialize" && !hasEnvelope(params)) {
    throw unsupportedVersion(unsupportedVersionCode, params?.["protocolVersion"] ?? "", server.versions);
  }
  const envelope = readEnvelope(params, spoken.hint);
  exchange.agrees?.("version");
  const revision = statelessRevisions.get(envelope.version);
  if (revision === undefined) {
    throw unsupportedVersion(unsupportedVersionCode, envelope.version, server.versions);
  }
  exchange.agrees?.("routing");
  if (method === discoverMethod) {
    return spoken.description;
  }
  const listen = method === listenMethod ? spoken.listens : undefined;
  const feature = listen?.(request.id, exchange) ?? featureFor(method, server, revision);
  const call = createCall(request, exchange, {
    version: revision.version,
    caller: { info: envelope.info, capabilities: envelope.capabilities },
    progressMessages: true,
    log: envelope.logLevel && spoken.logs?.(envelope.logLevel),
    inputResponses: readResponses(params),
    requestState: readState(params),
  });
  const go = (round: Call): Result | Promise<Result> =>
    run(
      feature,
      round,
      (outcome) => shapeOutcome(round, outcome, server.features, spoken.shaper),
      (thrown) => admissible(thrown, revision),
    );
  const open = call.requestState === undefined ? undefined : brought(server.features, "questions")?.open;
  return open === undefined ? go(call) : open(call).then(go);
}

function shapeOutcome(
  call: Call,
  outcome: Outcome,
  features: readonly FeatureSet[],
  shaper: ResultShaper,
): Result | Promise<Result> {
  const { method, params } = call;
  switch (outcome.type) {
    case "complete": {
      // what came of a user's answers is for nobody else
      const isAnswered = (call.inputResponses ?? call.requestState) !== undefined;
      return shaper.complete(method, outcome.result, outcome.stable, isAnswered ? undefined : outcome.cache);
    }
    case "input_required": {
      const { refuse, seal } = questionsOf(features);
      const refused = refuse(call, outcome);
      if (refused !== undefined) {
        throw refusalError(refused, params, refusalCodes);
      }
      const { inputRequests, requestState } = outcome;
      const shape = (state: string | undefined): Result =>
        shaper.other("input_required", { inputRequests, requestState: state });
      return requestState !== undefined && seal ? seal(call, requestState).then(shape) : shape(requestState);
    }
    case "extended":
      return shaper.other(outcome.resultType, outcome.result);
    case "refused":
      throw refusalError(outcome, params, refusalCodes);
    default:
      return outcome satisfies never;
  }
}

function readResponses(params: JsonObject | undefined): InputResponses | undefined {
  const responses = params?.["inputResponses"];
  if (responses === undefined || isResponses(responses)) {
    return responses;
  }
  throw wrongParam("inputResponses", responses, "an object of objects");
}

function isResponses(value: unknown): value is InputResponses {
  return isJsonObject(value) && Object.values(value).every(isJsonObject);
}

function readState(params: JsonObject | undefined): string | undefined {
  const state = params?.["requestState"];
  if (state === undefined || typeof state === "string") {
    return state;
  }
  throw wrongParam("requestState", state, "a string");
}
