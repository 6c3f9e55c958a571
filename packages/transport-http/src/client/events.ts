import { LocalError } from "@parlance/jsonrpc";
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
  let afterReturn = false;
  /** The line so far. Joined once it is whole: a long one comes in many pieces. */
  let pieces: string[] = [];
  let length = 0;
  let data: string | undefined;
  let event: string | undefined;
  let id: string | undefined;

  /** What is after a carriage return is not waited for: the event may be the last one for long. */
  function feed(text: string): void {
    const rest = (afterReturn && text.startsWith("\n") ? text.slice(1) : text).replace(/\r\n?/g, "\n");
    if (text !== "") afterReturn = text.endsWith("\r");
    let from = 0;
    for (let at = rest.indexOf("\n"); at >= 0; at = rest.indexOf("\n", from)) {
      pieces.push(rest.slice(from, at));
      from = at + 1;
      endLine();
    }
    if (from < rest.length) pieces.push(rest.slice(from));
    length += rest.length - from;
    if (length > maxLength) throw tooLong(maxLength);
  }

  function endLine(): void {
    const line = pieces.length === 1 ? (pieces[0] ?? "") : pieces.join("");
    pieces = [];
    length = 0;
    if (line === "") dispatch(true);
    else takeField(line);
  }

  function takeField(line: string): void {
    const [name = ""] = line.split(":", 1);
    const value = line.slice(name.length + 1).replace(/^ /, "");
    switch (name) {
      case "data":
        data = data === undefined ? value : `${data}\n${value}`;
        if (data.length > maxLength) throw tooLong(maxLength);
        break;
      case "event":
        event = value;
        break;
      case "id":
        if (!value.includes("\0")) id = value;
        break;
      case "retry":
        if (/^\d+$/.test(value)) position.retryMs = Number(value);
        break;
      default: // a comment, or nothing we know
    }
  }

  /** An id counts without data, too. */
  function dispatch(isWhole: boolean): void {
    const [said = "", type = ""] = [data, event];
    if (isWhole && id !== undefined) position.lastId = id === "" ? undefined : id;
    data = event = id = undefined;
    if (type !== "" && type !== "message") other?.(type, said);
    else if (said !== "") take(said, isWhole);
  }

  function finish(): void {
    feed(decoder.decode());
    if (pieces.length > 0) endLine();
    dispatch(false);
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
