import type { Sink, Transport } from "@parlance/jsonrpc";
import { createLines } from "@parlance/transport-stdio";

/** A transport whose other end is the fuzzer: bytes go in through the framer of stdio, text comes out. */
export interface Line {
  readonly transport: Transport;
  /** Delivers bytes as they are. */
  feed(bytes: Uint8Array): void;
}

/**
 * @param under what the line leads to besides the fuzzer, if anything
 * @param sent hears each frame that goes out
 */
export function createLine(sent: (text: string) => void, under?: Transport): Line {
  const lines = createLines();
  let target: Sink | undefined;
  return {
    transport: async (sink) => {
      target = sink;
      const channel = await under?.(sink);
      return {
        send: (text) => {
          sent(text);
          return channel?.send(text);
        },
        close: async () => {
          target = undefined;
          await channel?.close();
          sink.closed();
        },
      };
    },
    feed: (bytes) => {
      lines.feed(bytes);
      for (let next = lines.next(); next !== undefined; next = lines.next()) {
        if (typeof next === "string") void target?.frame(next);
        else target?.lost(next);
      }
    },
  };
}

/** One line of the wire. */
export function line(content: string | Uint8Array): Buffer {
  return Buffer.concat([typeof content === "string" ? Buffer.from(content) : content, Buffer.from("\n")]);
}
