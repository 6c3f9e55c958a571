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
  let afterReturn = false;
  const ids = createIds(position);
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: ({ event, data }) => {
      if (data.length > maxLength) throw tooLong(maxLength);
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
    const lines = rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
    parser.feed(lines);
    ids.feed(lines);
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

/** What can be sent back in a header. */
const sendable = /^[\x20-\x7e]+$/;

/** Follows the ids of events. The parser passes over an event without data, whose id counts all the same. */
function createIds(position: StreamPosition): { feed(text: string): void } {
  /** The line so far, as long as it may be an id or the end of an event. */
  let line: string | undefined = "";
  let id: string | undefined;

  function endLine(): void {
    if (line === "") {
      if (id !== undefined) position.lastId = sendable.test(id) ? id : undefined;
      id = undefined;
    } else if (line?.startsWith("id") && !line.includes("\0")) id = line.slice(3).replace(/^ /, "");
    line = "";
  }

  return {
    feed: (text) => {
      for (const [at, piece] of text.split("\n").entries()) {
        if (at > 0) endLine();
        if (line !== undefined && piece !== "") line += piece;
        if (line !== undefined && !/^(?:i?$|id$|id:)/.test(line)) line = undefined;
      }
    },
  };
}

function tooLong(limit: number): LocalError {
  return new LocalError("FRAME_TOO_LONG", `an event has more than ${limit} characters, the limit`, {
    details: { limit },
  });
}
