import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type BodyText, bodyText, tooLong } from "../body.js";
import type { HttpRequest } from "../http.js";

/** What a framework leaves on a request: its parsed body, and the URL before mounting. */
interface FrameworkRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly originalUrl?: string | undefined;
}

/** Node's request as the handler takes it. The signal is made when it is first asked for. */
export class NodeRequest implements HttpRequest {
  readonly headers: HttpRequest["headers"];
  readonly #message: FrameworkRequest;
  readonly #response: ServerResponse;
  #abort: AbortController | undefined;

  constructor(message: FrameworkRequest, response: ServerResponse, headers: HttpRequest["headers"]) {
    this.#message = message;
    this.#response = response;
    this.headers = headers;
  }

  get method(): string {
    return this.#message.method ?? "GET";
  }

  get url(): string {
    return this.#message.originalUrl ?? this.#message.url ?? "/";
  }

  get parsed(): unknown {
    return this.#message.body;
  }

  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal;
    const abort = new AbortController();
    const response = this.#response;
    this.#abort = abort;
    const hangUp = (): void => abort.abort(new DOMException("The caller hung up", "AbortError"));
    const closed = (): void => {
      if (!response.writableFinished) hangUp();
    };
    // also when it was answered: then by a framework, while a guard took its time
    if (response.destroyed) hangUp();
    else response.once("close", closed);
    return abort.signal;
  }

  readText(maxBytes: number): Promise<string> {
    const declared = Number(this.headers.get("content-length")) || 0;
    return declared > maxBytes ? Promise.reject(tooLong(declared, maxBytes)) : read(this.#message, declared, maxBytes);
  }
}

/** The headers as Node, or a framework, made them out. */
export function parsedHeaders({ headers }: IncomingMessage): HttpRequest["headers"] {
  return {
    get(name) {
      const value = headers[name] ?? headers[name.toLowerCase()];
      if (value === undefined) return null;
      return typeof value === "string" ? value : value.join(", ");
    },
  };
}

/**
 * The headers as they came, which costs less than to have all of them made out. One that came twice is joined, whatever
 * it is.
 */
export function rawHeaders({ rawHeaders: raw }: IncomingMessage): HttpRequest["headers"] {
  return {
    get(name) {
      let found: string | null = null;
      for (let at = 0; at < raw.length; at += 2) {
        const key = raw[at] ?? "";
        if (key.length !== name.length || (key !== name && key.toLowerCase() !== name.toLowerCase())) continue;
        const value = raw[at + 1] ?? "";
        found = found === null ? value : `${found}, ${value}`;
      }
      return found;
    },
  };
}

/** The first byte of a mark of the byte order, which no JSON begins with. */
const markStart = 0xef;

/** @param declared what the body says it has; 0 when it says nothing */
function read(message: IncomingMessage, declared: number, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let body: BodyText | undefined;

    message.on("data", (chunk: Buffer) => {
      // most bodies are one chunk, and Node has a shorter way for it, which keeps a mark of the byte order
      if (chunk.byteLength === declared && chunk[0] !== markStart && isUtf8(chunk)) return resolve(chunk.toString());
      try {
        body ??= gather();
        body.add(chunk);
      } catch (error) {
        message.pause();
        reject(error);
      }
    });
    message.on("close", () => {
      if (!message.complete) reject(gone());
      // it comes after the end: all that there was has been taken
      else if (body === undefined) resolve("");
    });
    // while a guard took its time the caller may have hung up, or a framework read all and left nothing
    if (message.destroyed || message.readableEnded) reject(gone());
    // it may also have held the body back until now
    message.resume();

    function gather(): BodyText {
      const gathered = bodyText(maxBytes);
      message.on("end", () => {
        try {
          resolve(gathered.text());
        } catch (error) {
          reject(error);
        }
      });
      return gathered;
    }
  });
}

function gone(): Error {
  return new Error("The body was over before it was read");
}
