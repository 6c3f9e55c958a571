import type { RpcMessage, Transport } from "@parlance/jsonrpc";

/**
 * One frame that crossed a recorded transport.
 * @stable
 */
export interface RecordedFrame {
  /** As seen from whoever uses the recorded transport. */
  readonly direction: "sent" | "received";
  /** The frame as it was on the wire. */
  readonly text: string;
  /** The frame parsed; `undefined` when it is no JSON. A batch is an array. Parsed anew each time it is read. */
  readonly message: RpcMessage | readonly RpcMessage[] | undefined;
}

/**
 * A transport that keeps what crosses it.
 * @stable
 */
export interface Recording {
  readonly transport: Transport;
  /** In the order in which they crossed; grows while the transport is open. */
  readonly frames: readonly RecordedFrame[];
}

/**
 * Keeps every frame that crosses a transport, both directions, and changes none.
 * @param frames where they are kept; a new list by default
 * @stable
 */
export function record(transport: Transport, frames: RecordedFrame[] = []): Recording {
  return {
    frames,
    transport: async (sink) => {
      const channel = await transport({
        frame: (text) => {
          frames.push(recorded("received", text));
          return sink.frame(text);
        },
        lost: (error) => sink.lost(error),
        closed: (cause) => sink.closed(cause),
      });
      return {
        send: (text) => {
          frames.push(recorded("sent", text));
          return channel.send(text);
        },
        close: () => channel.close(),
        describe: channel.describe,
      };
    },
  };
}

function recorded(direction: RecordedFrame["direction"], text: string): RecordedFrame {
  return {
    direction,
    text,
    get message() {
      return parse(text);
    },
  };
}

function parse(text: string): RpcMessage | readonly RpcMessage[] | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
