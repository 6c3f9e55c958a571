import { type Connection, LocalError, type RpcRequest, rpcCodes } from "@parlance/jsonrpc";
import { defaultMaxQueued } from "../event-stream.js";
import type { HttpArrival, HttpBinding, HttpReply, HttpServed } from "../http.js";
import { createOpenSet, defaultKeepAliveMs } from "../open-set.js";
import { emptyReply, refusal } from "../reply.js";
import { type Answering, answerBatch, answerRequest, type HandshakeSettings, take } from "./answer.js";
import type { HandshakeBindingOptions } from "./options.js";
import { Session } from "./session.js";
import { createSessions, type Sessions } from "./sessions.js";
import { initialize, isOurs, mayBatch, revisionOf, sessionHeader, versionHeader } from "./versions.js";

const defaultIdleMs = 30 * 60_000;
const defaultMaxAgeMs = 24 * 60 * 60_000;
const defaultMaxSessions = 10_000;

/**
 * Streamable HTTP of the revisions that open with `initialize`.
 * @see MCP 2025-11-25, basic/transports, streamable HTTP
 * @stable
 */
export function handshakeBinding(options: HandshakeBindingOptions = {}): HttpBinding {
  const settings: HandshakeSettings = {
    open: createOpenSet(options.keepAliveMs ?? defaultKeepAliveMs),
    maxQueued: options.maxQueued ?? defaultMaxQueued,
    store: options.events,
    alwaysStream: options.answers === "stream",
  };
  return options.sessions === false ? withoutSessions(settings) : withSessions(settings, options);
}

function withSessions(settings: HandshakeSettings, options: HandshakeBindingOptions): HttpBinding {
  const { now = () => performance.now() } = options;
  const sessions = createSessions(
    {
      idleMs: options.idleMs ?? defaultIdleMs,
      maxAgeMs: options.maxAgeMs ?? defaultMaxAgeMs,
      maxSessions: options.maxSessions ?? defaultMaxSessions,
    },
    settings.store,
    now,
  );

  async function open(arrival: HttpArrival, server: HttpServed, message: RpcRequest): Promise<HttpReply> {
    const { principal, request } = arrival;
    const named = request.headers.get(sessionHeader);
    if (named !== null && sessions.find(named, principal) !== undefined) {
      return refusal(
        400,
        rpcCodes.invalidRequest,
        "This session is initialized already: open a new one without its id",
      );
    }
    const session = new Session(principal, settings, now());
    const reply = await answerRequest({ arrival, server, settings, connection: session }, message);
    if (session.agreedOn === undefined) {
      session.end(new LocalError("CLOSED", "The session was not agreed on"));
      return reply;
    }
    try {
      sessions.add(session);
    } catch (error) {
      session.end(new LocalError("CLOSED", "The session was one too many", { cause: error }));
      throw error;
    }
    return { ...reply, headers: { ...reply.headers, [sessionHeader]: session.id } };
  }

  function post(answering: Answering, session: Session): HttpReply | Promise<HttpReply> {
    const { incoming } = answering.arrival;
    switch (incoming?.kind) {
      case "request":
        return answerRequest(answering, incoming.message);
      case "notification":
      case "response":
        take(answering, incoming);
        return emptyReply(202);
      case "batch":
        return session.agreedOn?.batches === true ? answerBatch(answering, incoming.items) : noBatch();
      case undefined:
        return noBody();
      default:
        return incoming satisfies never;
    }
  }

  return {
    era: "handshake",
    methods: ["POST", "GET", "DELETE"],
    claims: isClaimed,
    answer: (arrival, server) => {
      const { incoming, request } = arrival;
      if (incoming?.kind === "request" && incoming.message.method === initialize) {
        return open(arrival, server, incoming.message);
      }
      const found = findSession(arrival, sessions);
      if (!(found instanceof Session)) return found;
      switch (request.method) {
        case "GET":
          return listen(found, arrival, settings);
        case "DELETE":
          sessions.end(found, "The client ended the session");
          return emptyReply(204);
        default:
          return post({ arrival, server, settings, connection: found, session: found }, found);
      }
    },
    close: () => {
      for (const session of sessions.values()) session.endListening();
    },
    abort: (reason) => {
      settings.open.abort(reason);
      for (const session of [...sessions.values()]) sessions.end(session, reason.message);
    },
  };
}

/** Each POST is under the revision that it names, or that is assumed. */
function withoutSessions(settings: HandshakeSettings): HttpBinding {
  return {
    era: "handshake",
    methods: ["POST"],
    claims: isClaimed,
    answer: (arrival, server) => {
      const { incoming, request } = arrival;
      const revision = request.headers.get(versionHeader);
      const connection = new OneRequest(revision === null ? null : revision.trim());
      const answering: Answering = { arrival, server, settings, connection };
      switch (incoming?.kind) {
        case "request":
          return answerRequest(answering, incoming.message);
        case "notification":
        case "response":
          take(answering, incoming);
          return emptyReply(202);
        case "batch": {
          const served = server.eras?.flatMap(({ versions }) => versions);
          return mayBatch(revision, served) ? answerBatch(answering, incoming.items) : noBatch();
        }
        case undefined:
          return noBody();
        default:
          return incoming satisfies never;
      }
    },
    abort: settings.open.abort,
  };
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

  under<Version extends string>(versions: readonly Version[]): Version {
    return revisionOf(this.#revision, versions);
  }
}

/** What opens a session or names one, and what does not say that it is of another era. */
function isClaimed({ incoming, request }: HttpArrival): boolean {
  if (incoming?.kind === "request" && incoming.message.method === initialize) return true;
  return request.headers.get(sessionHeader) !== null || isOurs(request.headers.get(versionHeader));
}

/** The session that a request names, or why there is none. */
function findSession({ request, principal }: HttpArrival, sessions: Sessions): Session | HttpReply {
  const id = request.headers.get(sessionHeader);
  if (id === null) {
    return refusal(400, rpcCodes.invalidRequest, "Mcp-Session-Id is missing: a session starts with initialize");
  }
  const session = sessions.find(id, principal);
  if (session === undefined) {
    return refusal(404, rpcCodes.invalidRequest, "The session is unknown here or has ended: start a new one");
  }
  const said = request.headers.get(versionHeader)?.trim();
  const agreed = session.agreedOn?.version;
  if (said === undefined || said === agreed) return session;
  const fault = `MCP-Protocol-Version is ${JSON.stringify(said.slice(0, 100))}; this session is in ${agreed}`;
  return refusal(400, rpcCodes.invalidRequest, fault);
}

function listen(session: Session, arrival: HttpArrival, { store }: HandshakeSettings): HttpReply | Promise<HttpReply> {
  if (!arrival.accepts.events) {
    return refusal(406, rpcCodes.invalidRequest, "Accept must allow text/event-stream");
  }
  const last = arrival.request.headers.get("last-event-id");
  if (last === null || store === undefined) return session.listen(arrival);
  const resumed = session.resume(arrival, last.trim());
  return resumed.then(
    (reply) => reply ?? refusal(400, rpcCodes.invalidRequest, "Last-Event-ID is of no event kept here"),
  );
}

function noBatch(): HttpReply {
  return refusal(400, rpcCodes.invalidRequest, "a batch is not allowed in this session: send one message at a time");
}

function noBody(): HttpReply {
  return refusal(400, rpcCodes.invalidRequest, "the request has no body: POST one JSON-RPC message");
}
