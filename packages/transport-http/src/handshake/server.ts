import { excerpt } from "@parlance/jsonrpc/codec";
import type { HttpArrival, HttpBinding, HttpReply, HttpServed } from "../http.js";
import { answerSettings } from "../outlet.js";
import { emptyReply, refusal } from "../reply.js";
import { eventStream } from "../sse.js";
import { answerPost } from "./answer.js";
import type { HandshakeBindingOptions } from "./options.js";
import { Session, type SessionSettings } from "./session.js";
import { createSessions } from "./sessions.js";
import { isClaimed, isInitialize, sessionHeader, versionHeader } from "./versions.js";

const defaultIdleMs = 30 * 60_000;
const defaultMaxAgeMs = 24 * 60 * 60_000;
const defaultMaxSessions = 10_000;

/**
 * Streamable HTTP of the revisions that open with `initialize`.
 * @see MCP 2025-11-25, basic/transports, streamable HTTP
 * @stable
 */
export function handshakeBinding(options: HandshakeBindingOptions = {}): HttpBinding {
  const settings: SessionSettings = { ...answerSettings(options), events: options.events };
  const { now = () => performance.now(), idleMs = defaultIdleMs, maxAgeMs = defaultMaxAgeMs } = options;
  const sessions = createSessions({ idleMs, maxAgeMs, maxSessions: options.maxSessions ?? defaultMaxSessions }, now);

  async function open(arrival: HttpArrival, server: HttpServed): Promise<HttpReply> {
    const { principal, request } = arrival;
    const named = request.headers.get(sessionHeader);
    if (named !== null && sessions.find(named, principal) !== undefined) {
      return refusal(400, "This session is initialized already: open a new one without its id");
    }
    const session = new Session(principal, settings, now(), sessions.add);
    const reply = await answerPost({ arrival, server, settings, connection: session }, undefined);
    if (session.agreedOn === undefined) return reply;
    return { ...reply, headers: { ...reply.headers, [sessionHeader]: session.id } };
  }

  return {
    era: "handshake",
    methods: ["POST", "GET", "DELETE"],
    claims: isClaimed,
    answer: (arrival, server) => {
      const { incoming, principal, request } = arrival;
      const { headers, method } = request;
      if (isInitialize(incoming)) return open(arrival, server);
      const id = headers.get(sessionHeader);
      if (id === null) return refusal(400, "Mcp-Session-Id is missing: a session starts with initialize");
      const session = sessions.find(id, principal);
      if (session === undefined) return refusal(404, "The session is unknown here or has ended: start a new one");
      const { batches, version } = session.agreedOn ?? {};
      const said = headers.get(versionHeader)?.trim() ?? version;
      if (said !== version) {
        return refusal(400, `MCP-Protocol-Version is ${excerpt(said)}; this session is in ${version}`);
      }
      if (method === "GET") return listen(session, arrival);
      if (method === "POST") return answerPost({ arrival, server, settings, connection: session, session }, batches);
      sessions.end(session, "The client ended the session");
      return emptyReply(204);
    },
    close: () => {
      for (const session of sessions.all()) session.endListening();
    },
    abort: (reason) => {
      settings.open.abort(reason);
      for (const session of sessions.all()) sessions.end(session, reason.message);
    },
  };
}

function listen(session: Session, arrival: HttpArrival): HttpReply | Promise<HttpReply> {
  if (!arrival.accepts.events) return refusal(406, `Accept must allow ${eventStream}`);
  const seen = arrival.request.headers.get("last-event-id");
  const resumed = seen === null ? undefined : session.resumption?.resume(arrival, seen.trim());
  return resumed ?? session.listen(arrival);
}
