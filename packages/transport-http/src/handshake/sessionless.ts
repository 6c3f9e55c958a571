import { batches, type Connection, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { HttpBinding, HttpServed } from "../http.js";
import { type AnswerOptions, answerSettings } from "../outlet.js";
import { answerPost } from "./answer.js";
import { isClaimed, versionHeader, versions } from "./versions.js";

/** The one revision in which a body may be an array, and which knew no header. */
const batching = "2025-03-26";

/**
 * The revisions that open with `initialize`, without sessions: each POST stands for itself, under the revision that it
 * names or that is assumed. Nothing is remembered of a client, it cannot be asked anything, and it hears nothing but
 * answers. In place of `handshakeBinding()`, for platforms that start many processes.
 * @see MCP 2025-11-25, basic/transports, streamable HTTP
 * @stable
 */
export function sessionlessBinding(options: AnswerOptions = {}): HttpBinding {
  const settings = answerSettings(options);
  return {
    era: "handshake",
    methods: ["POST"],
    claims: isClaimed,
    answer: (arrival, server) => {
      const revision = arrival.request.headers.get(versionHeader)?.trim() ?? null;
      const mayBatch = revision === null ? servedBy(server).includes(batching) : revision === batching;
      const connection = new OneRequest(revision);
      return answerPost({ arrival, server, settings, connection }, mayBatch ? batches : undefined);
    },
    abort: settings.open.abort,
  };
}

function servedBy({ eras }: HttpServed): readonly string[] {
  return eras?.flatMap((era) => era.versions) ?? versions;
}

/** A connection that ends with its request. Its signal is made when somebody looks. */
class OneRequest implements Connection {
  readonly #revision: string | null;
  #closed: AbortSignal | undefined;

  constructor(revision: string | null) {
    this.#revision = revision;
  }

  get closed(): AbortSignal {
    this.#closed ??= new AbortController().signal;
    return this.#closed;
  }

  revisionAmong<Version extends string>(versions: readonly Version[]): Version {
    return revisionOf(this.#revision, versions);
  }
}

/**
 * The revision of a request without a session: the one it names; or else the one that knew no header, if it is on; or else
 * the oldest that is on and has this transport.
 * @throws RpcError −32600 for one that is not on
 * @see MCP 2025-06-18, basic/transports, protocol version header
 */
export function revisionOf<Version extends string>(header: string | null, on: readonly Version[]): Version {
  const asked = header ?? (on.some((version) => version === batching) ? batching : on.filter(isStreamable).at(-1));
  const version = on.find((one) => one === (asked ?? on[0]));
  if (version !== undefined) return version;
  const message = `protocol version ${excerpt(asked)} is not supported; supported are ${on.join(", ")}`;
  throw new RpcError(rpcCodes.invalidRequest, message, { early: true });
}

function isStreamable(version: string): boolean {
  return version !== "2024-11-05";
}
