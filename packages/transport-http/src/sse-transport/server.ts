import { connect, derive, type Handler, LocalError, type Peer, type Principal, type Sink } from "@parlance/jsonrpc";
import { EventStream, type StreamOptions, streamSettings } from "../event-stream.js";
import type { HttpArrival, HttpBinding, HttpReply, HttpServed } from "../http.js";
import { emptyReply, refusal } from "../reply.js";
import { eventStream } from "../sse.js";

/** The query parameter of the URL that messages go to. */
const sessionParameter = "sse-session";

/** A pipe whose one half is a stream, and whose other half is as many POSTs as there are messages. */
interface Pipe {
  readonly owner: string | undefined;
  readonly peer: Peer;
  /** Takes one message, in the name of whoever sent it. */
  receive(text: string, principal: Principal | undefined): void;
  /** Ends the pipe: its stream is gone. */
  lost(): void;
  /** Ends the pipe behind the answers that are still to come. */
  finish(): void;
}

/**
 * The HTTP+SSE transport of 2024-11-05, for clients that know no other: a GET without a session id opens a stream, which
 * begins with the URL that messages are POSTed to. It is not among the bindings by default.
 * @see MCP 2024-11-05, basic/transports, HTTP with SSE
 * @stable
 */
export function sseTransportBinding(options: StreamOptions = {}): HttpBinding {
  const settings = streamSettings(options);
  const pipes = new Map<string, Pipe>();

  async function start(arrival: HttpArrival, server: HttpServed): Promise<HttpReply> {
    if (!arrival.accepts.events) return refusal(406, `Accept must allow ${eventStream}`);
    const id = crypto.randomUUID();
    const stream = new EventStream(arrival, settings, () => pipes.get(id)?.lost());
    void stream.write(`event: endpoint\ndata: ${endpointOf(arrival.request.url, id)}\n\n`); // settles by itself
    const pipe = await openPipe(arrival, server, stream, () => pipes.delete(id));
    if (stream.isRead) pipes.set(id, pipe);
    else pipe.lost();
    return stream.reply;
  }

  function post({ request, incoming, principal }: HttpArrival): HttpReply {
    const session = sessionOf(request.url);
    // by a body that is JSON-RPC a client would know a newer server, and look no further
    if (session === undefined) return emptyReply(405, { allow: "GET" });
    const pipe = pipes.get(session);
    if (pipe === undefined || pipe.owner !== principal?.id) {
      return refusal(404, "The session is unknown here or has ended: open a new stream");
    }
    if (incoming === undefined) return refusal(400, "the request has no body");
    pipe.receive(JSON.stringify(incoming.kind === "batch" ? incoming.items : incoming.message), principal);
    return emptyReply(202);
  }

  return {
    era: "handshake",
    methods: ["GET", "POST"],
    claims: ({ request }) =>
      request.method === "GET" ? request.headers.get("mcp-session-id") === null : sessionOf(request.url) !== undefined,
    answer: (arrival, server) => (arrival.request.method === "GET" ? start(arrival, server) : post(arrival)),
    close: () => {
      for (const pipe of [...pipes.values()]) pipe.finish();
    },
    abort: (reason) => {
      settings.open.abort(reason);
      for (const { peer } of [...pipes.values()]) void peer.close(); // never rejects
      pipes.clear();
    },
  };
}

async function openPipe(
  arrival: HttpArrival,
  server: HttpServed,
  stream: EventStream,
  ended: () => void,
): Promise<Pipe> {
  let sink: Sink | undefined;
  let sender = arrival.principal;
  let running = 0;
  let finishing = false;
  const handler: Handler = {
    request: async (message, exchange) => {
      running += 1;
      try {
        return await server.request(message, derive(exchange, { principal: sender }));
      } finally {
        running -= 1;
        endWhenDone();
      }
    },
    notification: (message, connection) => server.notification?.(message, connection),
  };
  /** The answer to the last one is sent in this turn, and the stream ends behind it. */
  function endWhenDone(): void {
    if (finishing && running === 0) setTimeout(() => void peer.close()); // never rejects
  }

  const peer = await connect(
    (to) => {
      sink = to;
      return {
        send: (text) => stream.send(text),
        close: async () => {
          ended();
          stream.end();
        },
      };
    },
    handler,
    { report: arrival.report },
  );
  return {
    owner: arrival.principal?.id,
    peer,
    receive(text, principal) {
      // a request is handed to the handler before this returns
      sender = principal;
      void sink?.frame(text); // what is not drained holds nothing back here: each message came by itself
    },
    finish() {
      finishing = true;
      endWhenDone();
    },
    lost() {
      ended();
      sink?.closed(new LocalError("CLOSED", "the reader of the stream is gone"));
    },
  };
}

/** Relative to the origin, so that it is right behind whatever stands before the server. */
function endpointOf(url: string, id: string): string {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  searchParams.set(sessionParameter, id);
  return `${pathname}?${searchParams}`;
}

function sessionOf(url: string): string | undefined {
  const query = url.indexOf("?");
  if (query === -1) return undefined;
  return new URLSearchParams(url.slice(query)).get(sessionParameter) ?? undefined;
}
