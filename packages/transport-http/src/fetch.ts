import { bodyText, decodeText, tooLong } from "./body.js";
import type { HttpHandler, HttpReply, HttpRequest, TextWriter } from "./http.js";

/**
 * The handler for platforms that speak `fetch`: Hono, Bun, Deno, workers. Never rejects.
 * @stable
 */
export function toFetch(handler: HttpHandler): (request: Request) => Promise<Response> {
  return async (incoming) => {
    const request = new FetchRequest(incoming);
    return toResponse(await handler.answer(request), request);
  };
}

/** A `Request` as the handler takes it. The signal is made when it is first asked for. */
class FetchRequest implements HttpRequest {
  readonly #request: Request;
  #abort: AbortController | undefined;
  #hungUp = false;

  constructor(request: Request) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    return this.#request.url;
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal;
    this.#abort = new AbortController();
    const { signal } = this.#request;
    // the listener keeps the request alive: a collected Request loses its abort
    const linked = (): void => this.hangUp();
    if (this.#hungUp || signal.aborted) linked();
    else signal.addEventListener("abort", linked, { once: true });
    return this.#abort.signal;
  }

  /** Not every platform aborts the request's signal, but all of them cancel its response. */
  hangUp(): void {
    this.#hungUp = true;
    this.#abort?.abort(new DOMException("The caller hung up", "AbortError"));
  }

  readText(maxBytes: number): Promise<string> {
    const length = this.#request.headers.get("content-length");
    return length === null ? readChunks(this.#request, maxBytes) : readWhole(this.#request, Number(length), maxBytes);
  }
}

async function readWhole(request: Request, declared: number, maxBytes: number): Promise<string> {
  if (declared > maxBytes) throw tooLong(declared, maxBytes);
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > maxBytes) throw tooLong(bytes.byteLength, maxBytes);
  return decodeText(bytes);
}

async function readChunks(request: Request, maxBytes: number): Promise<string> {
  const body = bodyText(maxBytes);
  const reader = request.body?.getReader();
  if (reader === undefined) return "";
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) body.add(next.value);
    return body.text();
  } catch (error) {
    void reader.cancel(error).catch(() => {}); // the error is already on its way to the caller
    throw error;
  }
}

/** An answer as a `Response`; a streamed body is pulled at the reader's pace. */
function toResponse({ status, headers, body }: HttpReply, request: FetchRequest): Response {
  if (typeof body !== "function") return new Response(body ?? null, { status, headers });
  return new Response(stream(body, request), { status, headers });
}

/** What may be written before the reader takes some, as `node:http` has it. */
const highWaterBytes = 16 * 1024;

function stream(body: (out: TextWriter) => Promise<void>, request: FetchRequest): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let drained: (() => void) | undefined;
  let open = true;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const out: TextWriter = {
        write(text) {
          if (!open) return undefined;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 1) > 0) return undefined;
          return new Promise<void>((resolve) => {
            drained = resolve;
          });
        },
      };
      const end = (): void => {
        if (!open) return;
        open = false;
        controller.close();
      };
      body(out).then(end, (error: unknown) => {
        if (!open) return;
        open = false;
        controller.error(error);
      });
    },
    pull() {
      drained?.();
      drained = undefined;
    },
    cancel() {
      open = false;
      drained?.();
      request.hangUp();
    },
  };
  return new ReadableStream(source, { highWaterMark: highWaterBytes, size: (chunk) => chunk?.byteLength ?? 0 });
}
