import {
  type Channel,
  connect,
  type JsonObject,
  LocalError,
  type Peer,
  type Sink,
  type Transport,
} from "@parlance/jsonrpc";
import { longestTimerMs } from "@parlance/jsonrpc/timer";
import { unusable } from "../client/answer.js";
import type { Call } from "../client/calls.js";
import { drain } from "../client/drain.js";
import type { Endpoint } from "../client/endpoint.js";
import { readEvents } from "../client/events.js";
import { failure, isEventStream, isSuccess } from "../client/failure.js";
import { type HttpFallback, httpClientDefaults } from "../client/options.js";
import type { FallbackSpeech, Surroundings } from "../client/speech.js";
import { eventStream } from "../sse.js";

/**
 * How the older HTTP+SSE is spoken.
 * @stable
 */
export interface SseTransportOptions {
  /** How long a server may take to say where messages go. Default 10,000. */
  readonly endpointMs?: number | undefined;
}

/** How a server that does not know Streamable HTTP refuses `initialize`. */
const strangerStatuses: readonly unknown[] = [400, 404, 405, 406, 415];

/**
 * The HTTP+SSE of 2024-11-05, for servers that know nothing newer: `http(url, { fallback: sseTransport() })`.
 * @see MCP 2024-11-05, basic/transports, HTTP with SSE
 * @stable
 */
export function sseTransport(options: SseTransportOptions = {}): HttpFallback {
  const { endpointMs = httpClientDefaults.endpointMs } = options;
  return { prepare: (around) => prepare(around, endpointMs) };
}

/** It is a pipe: one stream for all that the server says, and a POST for each message that it is told. */
function prepare(around: Surroundings, endpointMs: number): FallbackSpeech {
  const agreed: Agreement = { version: undefined };
  let peer: Peer | undefined;

  async function ask(call: Call, params: JsonObject, to: Peer): Promise<void> {
    const giving = new AbortController();
    call.onGivenUp = (reason) => giving.abort(reason);
    const { cancellable } = call.options ?? {};
    call.resolve(await to.request(call.method, params, { signal: giving.signal, cancellable }));
  }

  async function open(call: Call): Promise<Peer> {
    const giving = new AbortController();
    call.onGivenUp = (reason) => giving.abort(reason);
    const transport = openTransport(around, endpointMs, agreed, giving.signal);
    const opened = await connect(transport, around.handler, { malformed: "report", report: around.report });
    opened.closed.addEventListener("abort", () => around.lose(opened.closed.reason), { once: true });
    return opened;
  }

  return {
    claims: () => peer !== undefined,
    open: async (call, params, refusal) => {
      if (!isStranger(refusal)) throw refusal;
      const opened = await open(call).catch((cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new LocalError("BAD_REPLY", `${refusal.message}; the older HTTP+SSE was tried too: ${why}`, { cause });
      });
      if (!call.open) return opened.close();
      peer = opened;
      await ask(call, params, opened);
    },
    ask: (method, params, how) =>
      around.calls.ask(method, how, (call) => {
        if (peer !== undefined) ask(call, params, peer).catch((error: unknown) => call.reject(error));
      }),
    notify: async (method, params) => peer?.notify(method, params),
    agreed: (to, again) => {
      agreed.version = to.version;
      peer?.agreed?.(to, again);
    },
    close: async () => peer?.close(),
  };
}

function isStranger(refusal: unknown): refusal is LocalError {
  return (
    refusal instanceof LocalError &&
    refusal.code === "BAD_REPLY" &&
    strangerStatuses.includes(refusal.details["status"])
  );
}

interface Agreement {
  version: string | undefined;
}

const opening = "the stream of HTTP+SSE";

function openTransport(to: Surroundings, endpointMs: number, agreed: Agreement, signal: AbortSignal): Transport {
  const { endpoint } = to;
  return async (sink) => {
    const sending = endpoint.send({ method: "GET", headers: { accept: eventStream } });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let giveUp = (): void => {};
    try {
      const address = await new Promise<string>((resolve, reject) => {
        const fail = (error: unknown): void => {
          reject(error);
          sending.abort();
        };
        giveUp = () => fail(signal.reason);
        if (signal.aborted) giveUp();
        signal.addEventListener("abort", giveUp);
        const message = `${opening} did not say within ${endpointMs} ms where messages go`;
        timer = setTimeout(
          () => fail(new LocalError("TIMEOUT", message, { details: { endpointMs } })),
          Math.min(endpointMs, longestTimerMs),
        );
        read(to, sending, sink, resolve).catch(fail);
      });
      return createChannel(to, addressAt(endpoint.url, address), agreed, sending.abort, sink);
    } catch (error) {
      sending.abort();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    }
  };
}

/** Reads the stream to its end, which is the end of the session. Rejects when it could not be opened. */
async function read(
  { maxMessageBytes }: Surroundings,
  sending: ReturnType<Endpoint["send"]>,
  sink: Sink,
  found: (address: string) => void,
): Promise<void> {
  const reply = await sending.reply;
  if (!isSuccess(reply)) throw await failure(reply, opening);
  if (!isEventStream(reply)) {
    void drain(reply, sending); // never rejects
    throw unusable(opening, "no stream of events", reply);
  }
  let isFound = false;
  const position = { lastId: undefined, retryMs: undefined };
  const hear = (event: string, data: string): void => {
    if (event !== "endpoint") return;
    isFound = true;
    found(data);
  };
  try {
    // replies go by POSTs of their own, so reading is never held back
    await readEvents(reply, position, maxMessageBytes, (data) => void sink.frame(data), hear);
  } catch (error) {
    if (!isFound) throw error;
    sink.closed(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  if (!isFound) throw unusable(opening, "a stream that does not say where messages go", reply);
  sink.closed(new LocalError("CLOSED", "the server ended the stream"));
}

/** @throws LocalError `BAD_REPLY` for an address on another origin: credentials would go there */
function addressAt(url: string, address: string): string {
  const target = URL.canParse(address, url) ? new URL(address, url) : undefined;
  const { origin } = new URL(url);
  if (target?.origin === origin) return target.href;
  throw new LocalError(
    "BAD_REPLY",
    `messages would go to ${target?.origin ?? JSON.stringify(address)}; only ${origin} will do`,
  );
}

function createChannel(
  { endpoint }: Surroundings,
  url: string,
  agreed: Agreement,
  abort: () => void,
  sink: Sink,
): Channel {
  async function send(body: string): Promise<void> {
    const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
    if (agreed.version !== undefined) headers["mcp-protocol-version"] = agreed.version;
    const sending = endpoint.send({ method: "POST", url, headers, body });
    const reply = await sending.reply;
    if (isSuccess(reply)) {
      void drain(reply, sending); // never rejects; answers come on the stream
      return;
    }
    const error = await failure(reply, "a message");
    if (reply.status === 404) {
      abort();
      sink.closed(new LocalError("CLOSED", "the server does not know the session any more", { cause: error }));
    }
    throw error instanceof LocalError ? error : new LocalError("BAD_REPLY", error.message, { cause: error });
  }

  return { send, close: async () => abort() };
}
