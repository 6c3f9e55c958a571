import { type Channel, connect, LocalError, type Peer, type Sink, type Transport } from "@parlance/jsonrpc";
import { isEventStream, unusable } from "../client/answer.js";
import { drain } from "../client/drain.js";
import { readEvents } from "../client/events.js";
import { failure, isSuccess } from "../client/failure.js";
import { type FallbackTarget, type HttpFallback, httpClientDefaults } from "../client/options.js";
import { eventStream } from "../sse.js";

/**
 * How the older HTTP+SSE is spoken.
 * @stable
 */
export interface SseTransportOptions {
  /** How long a server may take to say where messages go. Default 10 000. */
  readonly endpointMs?: number | undefined;
}

/**
 * The HTTP+SSE of 2024-11-05, for servers that know nothing newer: `http(url, { fallback: sseTransport() })`.
 * @see MCP 2024-11-05, basic/transports, HTTP with SSE
 * @stable
 */
export function sseTransport(options: SseTransportOptions = {}): HttpFallback {
  const { endpointMs = httpClientDefaults.endpointMs } = options;
  return {
    connect: async (to): Promise<Peer> => {
      const agreed: Agreement = { version: undefined };
      const peer = await connect(open(to, endpointMs, agreed), to.handler, { malformed: "report", report: to.report });
      return {
        ...peer,
        agreed: (what) => {
          agreed.version = what.version;
          peer.agreed?.(what);
        },
      };
    },
  };
}

interface Agreement {
  version: string | undefined;
}

const opening = "the stream of HTTP+SSE";

function open(to: FallbackTarget, endpointMs: number, agreed: Agreement): Transport {
  const { endpoint, signal } = to;
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
        giveUp = () => fail(signal?.reason);
        if (signal?.aborted) giveUp();
        signal?.addEventListener("abort", giveUp);
        const message = `${opening} did not say within ${endpointMs} ms where messages go`;
        timer = setTimeout(() => fail(new LocalError("TIMEOUT", message, { details: { endpointMs } })), endpointMs);
        read(to, sending, sink, resolve).catch(fail);
      });
      return createChannel(to, addressAt(endpoint.url, address), agreed, sending.abort, sink);
    } catch (error) {
      sending.abort();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  };
}

/** Reads the stream to its end, which is the end of the session. Rejects when it could not be opened. */
async function read(
  { maxMessageBytes }: FallbackTarget,
  sending: ReturnType<FallbackTarget["endpoint"]["send"]>,
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
  { endpoint }: FallbackTarget,
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
