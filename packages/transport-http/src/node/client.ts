import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Dial } from "@parlance/jsonrpc";
import type { HttpClientOptions } from "../client/options.js";
import { dialWith } from "../client/peer.js";
import { unreachable } from "../client/unreachable.js";
import type { HttpSender, IncomingReply, OutgoingRequest, Sending } from "../client/wire.js";

/** How long an idle connection is kept: less than the five seconds after which most servers close it. */
const idleMs = 4_000;

/**
 * How a server is reached with `node:http`.
 * @stable
 */
export interface NodeHttpOptions extends HttpClientOptions {
  /**
   * Opens the connections: an `https.Agent` with certificates of your own (`ca`, `cert`, `key`), or one that goes through a
   * proxy. It stays yours to destroy. Default: one that keeps connections alive, until the client is closed.
   */
  readonly agent?: HttpAgent | undefined;
}

/**
 * Reaches a server over HTTP, in whichever way it speaks, with Node's own client.
 * @throws LocalError `INVALID_ARGUMENT` for a URL that is none
 * @see MCP 2026-07-28, basic/transports/streamable-http
 * @stable
 */
export function http(url: string | URL, options: NodeHttpOptions = {}): Dial {
  return dialWith(url, options, () => nodeSender(options.agent));
}

function nodeSender(shared: HttpAgent | undefined): HttpSender {
  let own: HttpAgent | undefined;
  let parsed: Target | undefined;

  function targetOf(url: string): Target {
    // nearly all requests go to the same
    if (parsed?.url === url) return parsed;
    const { protocol, hostname, port, pathname, search } = new URL(url);
    const isSecure = protocol === "https:";
    own ??= shared ?? new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, noDelay: true, timeout: idleMs });
    // an address of version 6 stands in brackets in a URL only
    const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    parsed = { url, isSecure, agent: own, host, port: port === "" ? undefined : port, path: pathname + search };
    return parsed;
  }

  return {
    send: (request) => new NodeSending(targetOf(request.url), request),
    close: () => {
      if (own !== shared) own?.destroy();
    },
  };
}

interface Target {
  readonly url: string;
  readonly isSecure: boolean;
  readonly agent: HttpAgent;
  readonly host: string;
  readonly port: string | undefined;
  readonly path: string;
}

class NodeSending implements Sending {
  readonly reply: Promise<IncomingReply>;
  #request: ClientRequest | undefined;

  constructor(target: Target, { method, headers, body }: OutgoingRequest) {
    this.reply = new Promise((resolve, reject) => {
      const { agent, host, port, path } = target;
      const request = (target.isSecure ? httpsRequest : httpRequest)({ agent, host, port, path, method, headers });
      this.#request = request;
      request.on("response", (message) => resolve(new NodeReply(message)));
      // after the head, the message says the same
      request.on("error", (cause) => reject(unreachable(target.url, cause)));
      request.end(body);
    });
  }

  readonly abort = (): void => {
    this.#request?.destroy();
  };
}

class NodeReply implements IncomingReply {
  readonly status: number;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.status = message.statusCode ?? 0;
    this.#message = message;
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  read(take: (chunk: Uint8Array) => void): Promise<void> {
    const message = this.#message;
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        reject(error);
        message.destroy();
      };
      message.on("data", (chunk: Buffer) => {
        try {
          take(chunk);
        } catch (error) {
          fail(error);
        }
      });
      message.on("end", resolve);
      message.on("error", reject);
      const cut = (): void => {
        if (!message.complete) reject(new Error("the connection was closed before the end"));
      };
      message.on("close", cut);
      // it may have been, while a login took its time
      if (message.destroyed) cut();
    });
  }
}
