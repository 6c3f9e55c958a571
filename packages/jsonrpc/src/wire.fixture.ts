import { connect } from "./connect.js";
import type { Handler, Peer } from "./handler.js";
import type { ConnectOptions } from "./peer.js";
import type { Report } from "./report.js";
import type { Channel, Sink } from "./transport.js";

/** A peer whose other end is the test: frames go in and come out by hand. */
export interface Wire {
  readonly peer: Peer;
  readonly sink: Sink;
  /** What the peer sent, parsed. */
  readonly sent: unknown[];
  readonly texts: string[];
  readonly reports: Report[];
  readonly closes: { count: number };
  /** Delivers one frame: text as it is, anything else as JSON. */
  receive(frame: unknown): void;
}

export interface WireOptions extends ConnectOptions {
  readonly send?: Channel["send"] | undefined;
}

export async function openWire(handler: Partial<Handler> = {}, options: WireOptions = {}): Promise<Wire> {
  const sent: unknown[] = [];
  const texts: string[] = [];
  const reports: Report[] = [];
  const closes = { count: 0 };
  let sink: Sink | undefined;
  const full: Handler = { request: handler.request ?? ((message) => ({ echo: message.params ?? {} })) };
  if (handler.notification !== undefined) full.notification = handler.notification;
  const peer = await connect(
    (to) => {
      sink = to;
      return {
        send: (text) => {
          texts.push(text);
          sent.push(JSON.parse(text));
          return options.send?.(text);
        },
        close: async () => {
          closes.count++;
        },
      };
    },
    full,
    { report: (report) => void reports.push(report), ...options },
  );
  if (sink === undefined) throw new Error("the transport was not opened");
  const to = sink;
  const receive: Wire["receive"] = (frame) => void to.frame(typeof frame === "string" ? frame : JSON.stringify(frame));
  return { peer, sink: to, sent, texts, reports, closes, receive };
}

/** A promise to settle by hand. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lets every promise that can settle do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

export const request = (id: unknown, method: string = "tools/call", params: unknown = {}): object => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
