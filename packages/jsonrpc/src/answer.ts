import { classify, parse, refusal } from "./codec.js";
import { derive } from "./exchange.js";
import type { Connection, Exchange, Handler, Notify } from "./handler.js";
import { hear, respond } from "./respond.js";

/**
 * Answers one message without a connection: the text of one frame in, the text of the answer out, or nothing when there
 * is none. Never rejects. What `exchange` leaves out is a caller that never goes away and hears no notifications.
 * @stable
 */
export async function answer(
  handler: Handler,
  text: string,
  exchange: Partial<Exchange> = {},
): Promise<string | undefined> {
  const frame = parse(text);
  const incoming = frame.kind === "batch" ? classify(frame.items) : frame;
  switch (incoming.kind) {
    case "request":
      return new Promise((done) => respond(handler, incoming.message, derive(new Alone(), exchange), ignore, done));
    case "notification":
      hear(handler, incoming.message, exchange.connection ?? new Alone().connection, ignore);
      return undefined;
    case "response":
      return undefined;
    case "malformed":
      return refusal(incoming);
    default:
      return incoming satisfies never;
  }
}

/** The surroundings of a message that came by itself. */
class Alone implements Exchange {
  readonly #ending = new AbortController();
  readonly connection: Connection = { closed: this.#ending.signal };
  get signal(): AbortSignal {
    return this.#ending.signal;
  }
  stop(reason: Error): void {
    this.#ending.abort(reason);
  }
  get notify(): Notify {
    return async () => {};
  }
}

function ignore(): void {}
