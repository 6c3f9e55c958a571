import type { Dial, Handler, Peer } from "./handler.js";
import { type ConnectOptions, createPeer } from "./peer.js";
import type { Sink, Transport } from "./transport.js";

/**
 * Opens a transport and lets `handler` answer what comes.
 * A transport that closed at once gives a peer whose `closed` is aborted.
 * @throws what the transport throws when it cannot be opened
 * @stable
 */
export async function connect(transport: Transport, handler: Handler, options: ConnectOptions = {}): Promise<Peer> {
  let open: (sink: Sink) => void = () => {};
  const opened = new Promise<Sink>((resolve) => {
    open = resolve;
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
  const { peer, sink } = createPeer(channel, handler, options);
  open(sink);
  await opened;
  target = sink;
  return peer;
}

/**
 * The same from the asking side: a `Dial` opens the transport each time it is called.
 * @stable
 */
export function over(transport: Transport, options: ConnectOptions = {}): Dial {
  const { malformed = "report" } = options;
  return (handler, report) => connect(transport, handler, { ...options, malformed, report: options.report ?? report });
}
