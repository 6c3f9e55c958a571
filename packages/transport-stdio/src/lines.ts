import { isAscii, isUtf8 } from "node:buffer";
import { LocalError } from "@parlance/jsonrpc";
import { stdioDefaults } from "./defaults.js";

/**
 * Cuts bytes into frames: one UTF-8 text a line. It does no I/O, and the way the bytes are chunked makes no difference.
 * @stable
 */
export interface Lines {
  /** Takes the next bytes. Call `next()` until it has nothing more before feeding again. */
  feed(chunk: Uint8Array): void;
  /** Says that nothing follows: what is left counts as a line although no newline ends it. */
  end(): void;
  /** The next frame, or why one was lost (`FRAME_TOO_LONG`, `BAD_FRAME`); `undefined` when more bytes are needed. */
  next(): string | LocalError | undefined;
}

const newline = 10;
const carriageReturn = 13;
const nothing: Buffer = Buffer.alloc(0);

/** Pieces smaller than this are merged, so that a line that drips in byte by byte is not a list of a million buffers. */
const mergeBelowBytes = 4096;

/** How much of a line that cannot be read is shown in its error, in bytes. */
const excerptBytes = 80;

/**
 * Creates a framer for lines of at most `maxFrameBytes` (before the newline). A longer line is skipped up to its newline.
 * @see MCP 2026-07-28, basic/transports/stdio
 * @stable
 */
export function createLines(maxFrameBytes: number = stdioDefaults.maxFrameBytes): Lines {
  let chunk = nothing;
  let from = 0;
  let ascii = true;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let skipping = false;
  let ended = false;

  function hold(piece: Buffer): void {
    let last = piece;
    for (let before = held.at(-1); before !== undefined; before = held.at(-1)) {
      if (before.length >= mergeBelowBytes || before.length > last.length) break;
      last = Buffer.concat([before, last]);
      held.pop();
    }
    held.push(last);
    heldBytes += piece.length;
  }

  function forget(): void {
    held = [];
    heldBytes = 0;
  }

  /** The line that what is held and this piece make. */
  function finish(last: Buffer): string | LocalError {
    const line = Buffer.concat([...held, last]);
    forget();
    return decode(line, 0, line.length, isAscii(line));
  }

  function tooLong(sizeBytes: number): LocalError {
    forget();
    return new LocalError(
      "FRAME_TOO_LONG",
      `a frame has ${sizeBytes} bytes so far and maxFrameBytes allows ${maxFrameBytes}; it is skipped up to its newline`,
      { details: { sizeBytes, limitBytes: maxFrameBytes } },
    );
  }

  function unfinished(): string | LocalError | undefined {
    if (from < chunk.length && !skipping) hold(chunk.subarray(from));
    chunk = nothing;
    from = 0;
    if (heldBytes > maxFrameBytes) {
      skipping = true;
      return tooLong(heldBytes);
    }
    return (ended && heldBytes > 0 && finish(nothing)) || undefined;
  }

  return {
    feed(bytes) {
      const more = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      chunk = from < chunk.length ? Buffer.concat([chunk.subarray(from), more]) : more;
      from = 0;
      ascii = isAscii(chunk);
    },
    end() {
      ended = true;
    },
    next() {
      for (;;) {
        const at = chunk.indexOf(newline, from);
        if (at === -1) return unfinished();
        const start = from;
        from = at + 1;
        if (skipping) {
          skipping = false;
          continue;
        }
        const size = heldBytes + at - start;
        if (size > maxFrameBytes) return tooLong(size);
        const text = held.length === 0 ? decode(chunk, start, at, ascii) : finish(chunk.subarray(start, at));
        if (text !== "") return text;
      }
    },
  };
}

/** The text of one line without its carriage return and byte order mark; empty for a line of only whitespace. */
function decode(bytes: Buffer, start: number, end: number, ascii: boolean): string | LocalError {
  const to = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
  // Telling ASCII apart once a chunk spares a check a line, and a Latin-1 copy is the cheapest way to a string.
  if (ascii) return blankToEmpty(bytes.toString("latin1", start, to));
  const line = bytes.subarray(start, to);
  if (isUtf8(line)) return blankToEmpty(line.toString("utf8").replace(/^\uFEFF/, ""));
  const excerpt = line.toString("utf8", 0, excerptBytes);
  const message = `a frame of ${line.length} bytes is not UTF-8: it begins ${JSON.stringify(excerpt)}`;
  return new LocalError("BAD_FRAME", message, { details: { sizeBytes: line.length, excerpt } });
}

function blankToEmpty(text: string): string {
  return text.charCodeAt(0) > 32 || text.trim() !== "" ? text : "";
}
