import { createCalls } from "./calls.js";
import type { Dial, Handler, Peer } from "./handler.js";
import { type ConnectOptions, createPeer, type Parts } from "./peer.js";
import { createRunning } from "./running.js";
import type { Transport } from "./transport.js";

/** What is left of a peer that asks nothing. */
type Serving = Pick<Peer, "close" | "closed">;

/**
 * Opens a transport and lets `handler` answer what comes.
 * A transport that closed at once gives a peer whose `closed` is aborted.
 * @throws what the transport throws when it cannot be opened
 * @stable
 */
export function connect(transport: Transport, handler: Handler, options: ConnectOptions = {}): Promise<Peer> {
  return open(transport, handler, options, { asking: createCalls, answering: createRunning });
}

/**
 * The same for what only answers, such as a server: it asks nothing, unless its handler brings the means. It weighs less.
 * @throws what the transport throws when it cannot be opened
 * @stable
 */
export function serve(transport: Transport, handler: Handler, options: ConnectOptions = {}): Promise<Serving> {
  return open(transport, handler, options, { asking: handler.asking, answering: createRunning });
}

/**
 * The same from the asking side: a `Dial` opens the transport each time it is called. What the other side asks is
 * answered, and can be cancelled where the handler brings the means.
 * @stable
 */
export function over(transport: Transport, options: ConnectOptions = {}): Dial {
  const { malformed = "report" } = options;
  return (handler, report) =>
    open(
      transport,
      handler,
      { ...options, malformed, report: options.report ?? report },
      { asking: createCalls, answering: handler.answering },
    );
}

function open(
  transport: Transport,
  handler: Handler,
  options: ConnectOptions,
  parts: Parts & { readonly asking: typeof createCalls },
): Promise<Peer>;
function open(transport: Transport, handler: Handler, options: ConnectOptions, parts: Parts): Promise<Serving>;
async function open(transport: Transport, handler: Handler, options: ConnectOptions, parts: Parts): Promise<Serving> {
  const { sink, begin } = createPeer(handler, options, parts);
  return begin(await transport(sink));
}
