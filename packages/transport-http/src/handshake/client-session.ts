import { LocalError, type RequestId, type RpcError } from "@parlance/jsonrpc";
import type { Endpoint } from "../client/endpoint.js";
import { failure } from "../client/failure.js";
import type { IncomingReply, Sending } from "../client/wire.js";
import { eventStream } from "../sse.js";

/** What a server may name a session, and what a header can carry. */
const sessionId = /^[\x21-\x7e]+$/;

const posted: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  accept: `application/json, ${eventStream}`,
};

/** What all requests since one `initialize` have in common. The id is a secret: it is in no error and no report. */
export class ClientSession {
  /** Whether several messages may come in one array. */
  batches = false;
  /** Whether the server knows the session by an id. */
  isNamed = false;
  /** The stream of what belongs to no request. */
  listening: Sending | undefined;
  readonly #endpoint: Endpoint;
  readonly #ending = new AbortController();
  #headers: Readonly<Record<string, string>> = {};
  /** The same for every POST: nearly all requests are one. */
  #posted = posted;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Aborts when the session is over. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  /** Takes the id that came with the answer to `initialize`. */
  name(reply: IncomingReply): void {
    const id = reply.header("mcp-session-id");
    if (id === undefined || !sessionId.test(id)) return;
    this.isNamed = true;
    this.#add({ "mcp-session-id": id });
  }

  /** @see MCP 2025-06-18, basic/transports, protocol version header */
  agree(version: string, batches: boolean): void {
    this.batches = batches;
    this.#add({ "mcp-protocol-version": version });
  }

  post(body: string): Sending {
    return this.#endpoint.send({ method: "POST", headers: this.#posted, body });
  }

  /** @param lastId where to go on; absent for the stream of what belongs to no request */
  get(lastId: string | undefined): Sending {
    const from = lastId === undefined ? {} : { "last-event-id": lastId };
    return this.#endpoint.send({ method: "GET", headers: { accept: eventStream, ...this.#headers, ...from } });
  }

  delete(): Sending {
    return this.#endpoint.send({ method: "DELETE", headers: this.#headers });
  }

  #add(headers: Readonly<Record<string, string>>): void {
    this.#headers = { ...this.#headers, ...headers };
    this.#posted = { ...posted, ...this.#headers };
  }

  end(reason: unknown): void {
    this.#ending.abort(reason);
    this.listening?.abort();
  }

  /**
   * What a reply that is no success stands for.
   * @param delivered an earlier request was taken, of which this is about the answer
   * @returns LocalError `SESSION_LOST`, and what a refusal stands for
   */
  async refusal(reply: IncomingReply, what: string, id?: RequestId, delivered = false): Promise<LocalError | RpcError> {
    const refusal = await failure(reply, what, id);
    const { status } = reply;
    if (status !== 404 || !this.isNamed) return refusal;
    const rest = delivered ? "; it may have been carried out" : "";
    return new LocalError("SESSION_LOST", `the server does not know the session of ${what} any more${rest}`, {
      details: { status, delivered },
    });
  }
}
