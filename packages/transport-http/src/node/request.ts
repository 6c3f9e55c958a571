import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { bodyText, tooLong } from "../body.js";
import type { HttpRequest } from "../http.js";

/** What a framework leaves on a request: its parsed body, and the URL before mounting. */
interface FrameworkRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly originalUrl?: string | undefined;
}

/** Node's request as the handler takes it. The signal is made when it is first asked for. */
export class NodeRequest implements HttpRequest {
  readonly headers: NodeHeaders;
  readonly #message: FrameworkRequest;
  readonly #response: ServerResponse;
  #abort: AbortController | undefined;

  constructor(message: FrameworkRequest, response: ServerResponse) {
    this.#message = message;
    this.#response = response;
    this.headers = new NodeHeaders(message.headers);
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
    if (response.destroyed && !response.writableFinished) abort.abort(hungUp());
    else response.once("close", () => response.writableFinished || abort.abort(hungUp()));
    return abort.signal;
  }

  readText(maxBytes: number): Promise<string> {
    const declared = Number(this.#message.headers["content-length"] ?? 0);
    return declared > maxBytes ? Promise.reject(tooLong(declared, maxBytes)) : read(this.#message, maxBytes);
  }
}

class NodeHeaders {
  readonly #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name] ?? this.#headers[name.toLowerCase()];
    if (value === undefined) return null;
    return typeof value === "string" ? value : value.join(", ");
  }
}

function hungUp(): Error {
  return new DOMException("The caller hung up", "AbortError");
}

function read(message: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = bodyText(maxBytes);
    let done = false;
    const fail = (error: unknown): void => {
      done = true;
      message.pause();
      reject(error);
    };
    const attempt = (act: () => void): void => {
      if (done) return;
      try {
        act();
      } catch (error) {
        fail(error);
      }
    };
    message.on("data", (chunk: Buffer) => attempt(() => body.add(chunk)));
    message.on("end", () => attempt(() => resolve(body.text())));
    message.on("error", (error) => attempt(() => fail(error)));
    message.on("close", () => attempt(() => fail(new Error("The caller hung up before its body was read"))));
  });
}
