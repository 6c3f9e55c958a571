import { unreachable } from "./unreachable.js";
import type { HttpSender, IncomingReply, OutgoingRequest, Sending } from "./wire.js";

/**
 * The part of `fetch` that is used.
 * @stable
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends with `fetch`. */
export function fetchSender(fetch: Fetch): HttpSender {
  return { send: (request) => new FetchSending(fetch, request), close: () => {} };
}

class FetchSending implements Sending {
  readonly reply: Promise<IncomingReply>;
  /** One a request: a signal shared by many would gather their listeners. */
  readonly #controller = new AbortController();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(fetch: Fetch, request: OutgoingRequest) {
    this.reply = this.#send(fetch, request);
  }

  readonly abort = (): void => {
    this.#controller.abort();
    // a response that was made in this process does not hear the signal
    void this.#reader?.cancel().catch(() => {});
  };

  async #send(fetch: Fetch, { url, method, headers, body }: OutgoingRequest): Promise<IncomingReply> {
    const { signal } = this.#controller;
    let response: Response;
    try {
      response = await fetch(url, { method, headers: { ...headers }, body: body ?? null, signal, redirect: "manual" });
    } catch (cause) {
      throw unreachable(url, cause);
    }
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      read: (take) => this.#read(response, take),
    };
  }

  async #read({ body }: Response, take: (chunk: Uint8Array) => void): Promise<void> {
    if (body === null) return;
    const { signal } = this.#controller;
    const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
    this.#reader = reader;
    try {
      signal.throwIfAborted();
      for (let next = await reader.read(); !next.done; next = await reader.read()) take(next.value);
      signal.throwIfAborted();
    } catch (error) {
      this.abort();
      throw error;
    }
  }
}
