import { createCalls } from "./calls.js";
import type { Dial, Handler, Peer } from "./handler.js";
import { type ConnectOptions, createPeer, type Serving } from "./peer.js";
import { createRunning } from "./running.js";
import type { Transport } from "./transport.js";

/**
 * Opens a transport and lets `handler` answer what comes.
 * A transport that closed at once gives a peer whose `closed` is aborted.
 * @throws what the transport throws when it cannot be opened
 * @stable
 */
export function connect(transport: Transport, handler: Handler, options: ConnectOptions = {}): Promise<Peer> {
  return createPeer(transport, handler, options, { asking: createCalls, answering: createRunning });
}

/**
 * The same for what only answers, such as a server: it asks nothing, unless its handler brings the means. It weighs less.
 * @throws what the transport throws when it cannot be opened
 * @stable
 */
export function serve(transport: Transport, handler: Handler, options: ConnectOptions = {}): Promise<Serving> {
  return createPeer(transport, handler, options, { asking: handler.asking, answering: createRunning });
}

/**
 * The same from the asking side: a `Dial` opens the transport each time it is called. What the other side asks is
 * answered, and can be cancelled where the handler brings the means.
 * @stable
 */
export function over(transport: Transport, options: ConnectOptions = {}): Dial {
  const { malformed = "report" } = options;
  return (handler, report) =>
    createPeer(
      transport,
      handler,
      { ...options, malformed, report: options.report ?? report },
      { asking: createCalls, answering: handler.answering },
    );
}
