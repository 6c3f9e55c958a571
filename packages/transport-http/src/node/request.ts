import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyText, tooLong } from "../body.js";
import type { HttpRequest } from "../http.js";

/** What a framework leaves on a request: its parsed body, and the URL before mounting. */
export interface FrameworkRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly originalUrl?: string | undefined;
}

/** Node's request as the handler takes it. The signal is made when it is first asked for. */
export class NodeRequest implements HttpRequest {
  readonly headers: { get(name: string): string | null };
  readonly #message: FrameworkRequest;
  readonly #response: ServerResponse;
  #abort: AbortController | undefined;

  constructor(message: FrameworkRequest, response: ServerResponse) {
    this.#message = message;
    this.#response = response;
    const { headers } = message;
    this.headers = {
      get(name) {
        const value = headers[name.toLowerCase()];
        return value === undefined ? null : typeof value === "string" ? value : value.join(", ");
      },
    };
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
    if (this.#abort === undefined) {
      const abort = new AbortController();
      const response = this.#response;
      this.#abort = abort;
      if (response.destroyed && !response.writableFinished) abort.abort();
      else response.once("close", () => response.writableFinished || abort.abort());
    }
    return this.#abort.signal;
  }

  readText(maxBytes: number): Promise<string> {
    const message = this.#message;
    const declared = Number(message.headers["content-length"] ?? 0);
    if (declared > maxBytes) return Promise.reject(tooLong(declared, maxBytes));
    return new Promise((resolve, reject) => {
      const body = bodyText(maxBytes);
      const settle = (act: () => void): void => {
        message.off("data", add).off("end", end).off("error", fail).off("close", gone);
        try {
          act();
        } catch (error) {
          reject(error);
        }
      };
      const add = (chunk: Buffer): void => {
        try {
          body.add(chunk);
        } catch (error) {
          message.pause();
          settle(() => reject(error));
        }
      };
      const end = (): void => settle(() => resolve(body.text()));
      const fail = (error: Error): void => settle(() => reject(error));
      const gone = (): void => settle(() => reject(new Error("The caller hung up before its body was read")));
      message.on("data", add).once("end", end).once("error", fail).once("close", gone);
    });
  }
}
