import { LocalError } from "@parlance/jsonrpc";
import { createParser } from "eventsource-parser";
import type { IncomingReply } from "./wire.js";

/** Where a stream of events has got to. */
export interface StreamPosition {
  /** The id of the last event that had one. */
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
  let afterReturn = false;
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: ({ id, event, data }) => {
      if (data.length > maxLength) throw tooLong(maxLength);
      if (id !== undefined && !atEnd) position.lastId = id === "" ? undefined : id;
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

  /** The parser would hold back a lone carriage return until it sees what follows. */
  function feed(text: string): void {
    const rest = afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") afterReturn = text.endsWith("\r");
    parser.feed(rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest);
  }

  function finish(): void {
    feed(decoder.decode());
    atEnd = true;
    parser.feed("\n\n");
  }

  try {
    await reply.read((chunk) => feed(decoder.decode(chunk, { stream: true })));
  } catch (error) {
    if (!(error instanceof LocalError && error.code === "FRAME_TOO_LONG")) finish();
    throw error;
  }
  finish();
}

function tooLong(limit: number): LocalError {
  return new LocalError("FRAME_TOO_LONG", `an event has more than ${limit} characters, the limit`, {
    details: { limit },
  });
}
