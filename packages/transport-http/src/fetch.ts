import { bodyText, tooLong } from "./body.js";
import type { HttpReply, HttpRequest, TextWriter } from "./http.js";

/** A `Request` as the handler takes it, and the controller that a reader's hang-up aborts. */
export function fromFetch(request: Request): {
  readonly request: HttpRequest;
  readonly hangUp: (reason?: unknown) => void;
} {
  const controller = new AbortController();
  const hangUp = (reason?: unknown): void => controller.abort(reason);
  // the listener keeps `request` alive: a collected Request loses its abort
  const linked = (): void => hangUp(request.signal.reason);
  if (request.signal.aborted) linked();
  else request.signal.addEventListener("abort", linked, { once: true });
  return {
    hangUp,
    request: {
      method: request.method,
      url: request.url,
      headers: request.headers,
      signal: controller.signal,
      readText: (maxBytes) => readText(request, maxBytes),
    },
  };
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLong(declared, maxBytes);
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

/** An answer as a `Response`; a streamed body is pulled at the reader's pace, and `hangUp` hears when the reader leaves. */
export function toResponse(reply: HttpReply, hangUp: (reason?: unknown) => void): Response {
  const { status, headers, body } = reply;
  if (typeof body !== "function") return new Response(body ?? null, { status, headers });
  return new Response(stream(body, hangUp), { status, headers });
}

function stream(
  body: (out: TextWriter) => Promise<void>,
  hangUp: (reason?: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let drained: (() => void) | undefined;
  let open = true;
  return new ReadableStream<Uint8Array>({
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
    cancel(reason) {
      open = false;
      drained?.();
      hangUp(reason);
    },
  });
}
