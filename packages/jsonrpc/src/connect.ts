import { askNothing, createCalls } from "./calls.js";
import type { Dial, Handler, Peer } from "./handler.js";
import { type ConnectOptions, createPeer, type Parts } from "./peer.js";
import { answerAll, createRunning } from "./running.js";
import type { Sink, Transport } from "./transport.js";

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
export async function serve(
  transport: Transport,
  handler: Handler,
  options: ConnectOptions = {},
): Promise<Pick<Peer, "close" | "closed">> {
  return open(transport, handler, options, { asking: handler.asking ?? askNothing, answering: createRunning });
}

async function open(transport: Transport, handler: Handler, options: ConnectOptions, parts: Parts): Promise<Peer> {
  let begin: (sink: Sink) => void = () => {};
  const opened = new Promise<Sink>((resolve) => {
    begin = resolve;
  });
  // what comes before the channel is known waits for it, in order
  let target: Sink = {
    frame: async (text) => (await opened).frame(text),
    lost: async (error) => (await opened).lost(error),
    closed: async (cause) => (await opened).closed(cause),
  };
  const channel = await transport({
    frame: (text) => target.frame(text),
    lost: (error) => target.lost(error),
    closed: (cause) => target.closed(cause),
  });
  const { peer, sink } = createPeer(channel, handler, options, parts);
  begin(sink);
  await opened;
  target = sink;
  return peer;
}

/**
 * The same from the asking side: a `Dial` opens the transport each time it is called. What the other side asks is
 * answered, and can be cancelled where the handler brings the means.
 * @stable
 */
export function over(transport: Transport, options: ConnectOptions = {}): Dial {
  const { malformed = "report" } = options;
  return (handler, report) => {
    const parts = { asking: createCalls, answering: handler.answering ?? answerAll };
    return open(transport, handler, { ...options, malformed, report: options.report ?? report }, parts);
  };
}
