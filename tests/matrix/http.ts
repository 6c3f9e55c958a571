import type { Dial } from "@parlance/jsonrpc";
import type { ProtocolVersion } from "@parlance/protocol-versions";
import {
  anonymous,
  createHttpHandler,
  type HttpBinding,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
  handshakeBinding,
  http as httpByFetch,
  sseTransport,
  sseTransportBinding,
  statelessBinding,
} from "@parlance/transport-http";
import { http, type Listening, listen } from "@parlance/transport-http/node";
import type { Frame, Way } from "./behavior.js";
import { createMatrixServer } from "./server.js";
import { openHttpWire, openSseWire } from "./wire.js";

/** Those that have it: 2024-11-05 knows HTTP+SSE only, and that is no part of any other. */
const streamable: readonly ProtocolVersion[] = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/** Streamable HTTP, answered as JSON where it can be or always as a stream, and HTTP+SSE; by both clients. */
export const httpWays: Readonly<Record<string, Way>> = {
  "HTTP, JSON": streamableWay("auto", (url) => http(url)),
  "HTTP, streams": streamableWay("stream", (url) => http(url)),
  "HTTP by fetch": streamableWay("auto", (url) => httpByFetch(url)),
  "HTTP+SSE": sseWay((url) => http(url, { fallback: sseTransport() })),
  "HTTP+SSE by fetch": sseWay((url) => httpByFetch(url, { fallback: sseTransport() })),
};

function streamableWay(answers: "auto" | "stream", dial: (url: string) => Dial): Way {
  const { serve, release } = serving(() => [statelessBinding({ answers }), handshakeBinding({ answers })]);
  return {
    revisions: streamable,
    isConnection: false,
    dial:
      (frames) =>
      async (...given) =>
        dial(await serve(frames))(...given),
    wire: async (version) => openHttpWire(await serve(), version),
    release,
  };
}

function sseWay(dial: (url: string) => Dial): Way {
  const { serve, release } = serving(() => [sseTransportBinding()]);
  return {
    revisions: ["2024-11-05"],
    isConnection: true,
    dial:
      (frames) =>
      async (...given) =>
        dial(await serve(frames))(...given),
    wire: async () => openSseWire(await serve()),
    release,
  };
}

interface Serving {
  /** Starts a server; resolves with its URL. */
  serve(frames?: Frame[]): Promise<string>;
  release(): Promise<void>;
}

/** One that quits waits for nobody, and another is in its place at once. */
function serving(bindings: () => readonly HttpBinding[]): Serving {
  const listenings: Listening[] = [];

  async function serve(frames: Frame[] = []): Promise<string> {
    const create = (): HttpHandler =>
      createHttpHandler(createMatrixServer(quit), { auth: anonymous(), bindings: bindings(), drainMs: 0 });
    let current = create();
    const listening = await listen({
      loopbackOnly: true,
      answer: (request) => answerSeen(current, request, frames),
      close: () => current.close(),
    });
    function quit(): void {
      void current.close(); // never rejects
      current = create();
    }
    listenings.push(listening);
    return listening.url;
  }

  return {
    serve,
    release: async () => {
      await Promise.all(listenings.map((listening) => listening.close()));
    },
  };
}

/** What came and what went is kept as it was. */
async function answerSeen(handler: HttpHandler, request: HttpRequest, frames: Frame[]): Promise<HttpReply> {
  const see = (text: string): string => {
    frames.push({ text });
    return text;
  };
  const { method, url, headers } = request;
  const reply = await handler.answer({
    method,
    url,
    headers,
    get signal() {
      return request.signal;
    },
    readText: async (maxBytes) => see(await request.readText(maxBytes)),
  });
  const { body } = reply;
  if (typeof body === "string") see(body);
  if (typeof body !== "function") return reply;
  return { ...reply, body: (out) => body({ write: (text) => out.write(see(text)) }) };
}
