import { type Exchange, type Result, RpcError, type RpcRequest, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { createCall } from "../call.js";
import { mergeCapabilities } from "../capability.js";
import type { ServerEra, ServerFacts } from "../era.js";
import type { CacheHint, Refused } from "../feature.js";
import { memo } from "../memo.js";
import { featureFor, run, type Speech } from "../serving.js";
import { statelessVersions } from "../version.js";
import { discoverMethod, hasEnvelope, listenMethod, readEnvelope } from "./envelope.js";
import { headerMismatchCode, isEraError, missingCapabilityCode, unsupportedVersionCode } from "./error.js";
import { createResultShaper } from "./result.js";

/**
 * How the era without a handshake is spoken.
 * @stable
 */
export interface StatelessServerOptions {
  /** How long, and by whom, the answer to `server/discover` may be kept. Default: not at all. */
  readonly cache?: CacheHint | undefined;
}

/** What is the same for every request to one server. */
interface Spoken extends Speech {
  readonly description: Result;
}

/**
 * The server side of the era without a handshake: each request is judged by its own `_meta` and nothing else.
 * @see MCP 2026-07-28, basic
 * @stable
 */
export function statelessServer({ cache }: StatelessServerOptions = {}): ServerEra {
  const servers = new WeakMap<ServerFacts, Spoken>();
  return {
    name: "stateless",
    versions: statelessVersions,
    claims: (message) => hasEnvelope(message.params),
    serve: (request, exchange, server) => {
      const spoken = memo(servers, server, () => speakFor(server, cache));
      return serve(request, exchange, server, spoken);
    },
  };
}

function speakFor(server: ServerFacts, cache: CacheHint | undefined): Spoken {
  const shape = createResultShaper(server.info);
  // changes are heard on a listen stream, so without one nothing is promised that needs it
  const description = {
    supportedVersions: server.versions,
    capabilities: mergeCapabilities(server.features, server.methods.has(listenMethod)),
    instructions: server.instructions,
  };
  return {
    shape,
    description: shape(discoverMethod, { type: "complete", result: description, cache }),
    refusal: (reason) => refusalCodes[reason] ?? rpcCodes.invalidParams,
    thrown: thrownCode,
  };
}

function serve(request: RpcRequest, exchange: Exchange, server: ServerFacts, spoken: Spoken): Result | Promise<Result> {
  const { method, params } = request;
  const [version] = statelessVersions;
  if (method === "initialize" && !hasEnvelope(params)) {
    throw unsupported(params?.["protocolVersion"] ?? "", server);
  }
  const { version: asked, caller } = readEnvelope(params, server.versions);
  exchange.checkHeaders?.("version");
  if (asked !== version) throw unsupported(asked, server);
  exchange.checkHeaders?.("routing");
  if (method === discoverMethod) return spoken.description;
  const call = createCall({ request, exchange, server }, version, caller);
  return run(featureFor(method, server), call, spoken);
}

/** Names the versions that would do. */
function unsupported(requested: unknown, { versions: supported }: ServerFacts): RpcError {
  const message = `protocol version ${excerpt(requested)} is not supported; supported are ${supported.join(", ")}`;
  return new RpcError(unsupportedVersionCode, message, { data: { supported, requested }, early: true });
}

/** @see MCP 2026-07-28, basic, error codes */
const refusalCodes: Readonly<Partial<Record<Refused["reason"], number>>> = {
  needs_capability: missingCapabilityCode,
  header_mismatch: headerMismatchCode,
};

/** What a resource that does not exist is called in the other era. */
const resourceNotFoundCode = -32002;

const reservedFrom = -32099;
const reservedTo = -32000;

/**
 * A code that the protocol reserves and that a feature cannot mean becomes the standard one.
 * @see MCP 2026-07-28, basic, error codes
 */
function thrownCode(thrown: RpcError): number {
  const { code } = thrown;
  if (code === resourceNotFoundCode) return rpcCodes.invalidParams;
  const isReserved = !Number.isInteger(code) || (code >= reservedFrom && code <= reservedTo);
  return isReserved && !isEraError(thrown) ? rpcCodes.internalError : code;
}
