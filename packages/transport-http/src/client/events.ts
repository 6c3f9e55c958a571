import { LocalError } from "@parlance/jsonrpc";
import { createParser } from "eventsource-parser";
import type { IncomingReply } from "./wire.js";

/** Where a stream of events has got to. */
export interface StreamPosition {
  /** The id of the last event that had one; absent when it is one that no header carries. */
  lastId: string | undefined;
  /** How long the server asks to be left alone after the stream ended. */
  retryMs: number | undefined;
}

/**
 * Reads a stream of events until it ends. What is no message (another type of event, empty data) still moves the position.
 * An event at the very end that lacks its empty line is taken too, but does not move the position: it may be cut short.
 * @param other takes events of another type
 * @throws LocalError `FRAME_TOO_LONG` for an event with more than `maxLength` characters
 * @see WHATWG HTML, server-sent events, interpreting an event stream
 */
export async function readEvents(
  reply: IncomingReply,
  position: StreamPosition,
  maxLength: number,
  take: (data: string, isWhole: boolean) => void,
  other?: (event: string, data: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let atEnd = false;
  /** The character that the text so far ends with. */
  let last = "";
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: ({ id, event, data: padded }) => {
      const data = padded.slice(0, -1);
      if (data.length > maxLength) throw tooLong(maxLength);
      if (id !== undefined && !atEnd) position.lastId = sendable.test(id) ? id : undefined;
      if (event !== undefined && event !== "message") other?.(event, data);
      else if (data !== "") take(data, !atEnd);
    },
    onRetry: (ms) => {
      position.retryMs = ms;
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw tooLong(maxLength);
    },
  });

  /**
   * Every event gets one more line of data, an empty one: the parser passes over an event without data, whose id counts all
   * the same. And the parser would hold back a lone carriage return until it sees what follows.
   */
  function feed(text: string): void {
    if (text === "") return;
    const begins = /^[\r\n]?$/.test(last);
    const lines = (last === "\r" ? text.replace(/^\n/, "") : text).replace(/\r\n?/g, "\n");
    last = text.slice(-1);
    parser.feed(lines.replace(/(?<![^\n])\n/g, (end, at) => (at > 0 || begins ? "data\n\n" : end)));
  }

  function finish(): void {
    feed(decoder.decode());
    atEnd = true;
    feed("\n\n");
  }

  try {
    await reply.read((chunk) => feed(decoder.decode(chunk, { stream: true })));
  } catch (error) {
    if (!(error instanceof LocalError && error.code === "FRAME_TOO_LONG")) finish();
    throw error;
  }
  finish();
}

/** What can be sent back in a header. */
const sendable = /^[\x20-\x7e]+$/;

function tooLong(limit: number): LocalError {
  return new LocalError("FRAME_TOO_LONG", `an event has more than ${limit} characters, the limit`, {
    details: { limit },
  });
}
