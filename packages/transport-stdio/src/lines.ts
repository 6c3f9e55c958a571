import { isAscii, isUtf8 } from "node:buffer";
import { LocalError } from "@parlance/jsonrpc";
import { defaultMaxFrameBytes } from "./defaults.js";

/**
 * Cuts bytes into frames: one UTF-8 text a line. It does no I/O, and the way the bytes are chunked makes no difference.
 * @stable
 */
export interface Lines {
  /** Takes the next bytes, or text. What `next()` has not taken stays in front of them. */
  feed(chunk: Uint8Array | string): void;
  /** Says that nothing follows: what is left counts as a line although no newline ends it. */
  end(): void;
  /** The next frame, or why one was lost (`FRAME_TOO_LONG`, `BAD_FRAME`); `undefined` when more bytes are needed. */
  next(): string | LocalError | undefined;
}

const newline = 10;

/** Pieces are copied together up to this length: a text that grows byte by byte would take thirty times its size. */
const crumbLength = 4096;

/**
 * Creates a framer for lines of at most `maxFrameBytes` (before the newline). A longer line is skipped up to its newline.
 * @see MCP 2026-07-28, basic/transports/stdio
 * @stable
 */
export function createLines(maxFrameBytes: number = defaultMaxFrameBytes): Lines {
  let chunk: Buffer = Buffer.alloc(0);
  let from = 0;
  /** The line so far, each byte a character: it grows by what is new, and is copied together once. */
  let line = "";
  /** What follows it in small pieces. */
  let crumbs = "";
  let ascii = true;
  let skipping = false;
  let ended = false;

  function hold(piece: string): void {
    crumbs += piece;
    if (crumbs.length < crumbLength) return;
    line += crumbs === piece ? piece : Buffer.from(crumbs, "latin1").toString("latin1");
    crumbs = "";
  }

  function take(): string {
    const whole = line + crumbs;
    line = crumbs = "";
    return whole;
  }

  return {
    feed(more) {
      const bytes = Buffer.isBuffer(more) ? more : Buffer.from(more);
      chunk = from < chunk.length ? Buffer.concat([chunk.subarray(from), bytes]) : bytes;
      from = 0;
      // told once a chunk, it spares most lines a check and a copy
      ascii = (line + crumbs === "" || ascii) && isAscii(chunk);
    },
    end() {
      ended = true;
    },
    next() {
      for (;;) {
        const at = chunk.indexOf(newline, from);
        const isWhole = at !== -1;
        const end = isWhole ? at : chunk.length;
        if (!skipping) hold(chunk.toString("latin1", from, end));
        skipping &&= !isWhole;
        from = isWhole ? at + 1 : end;
        const sizeBytes = line.length + crumbs.length;
        if (sizeBytes > maxFrameBytes) {
          skipping = !isWhole;
          take();
          const message = `a frame has ${sizeBytes} bytes so far and maxFrameBytes allows ${maxFrameBytes}; it is skipped`;
          return new LocalError("FRAME_TOO_LONG", message, { details: { sizeBytes, limitBytes: maxFrameBytes } });
        }
        if (!isWhole && !ended) return undefined;
        const text = decode(take(), ascii);
        if (text !== "" || !isWhole) return text || undefined;
      }
    },
  };
}

/** The text of one line without its carriage return and byte order mark; empty for a line of only whitespace. */
function decode(line: string, ascii: boolean): string | LocalError {
  let text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (!ascii) {
    const bytes = Buffer.from(text, "latin1");
    if (!isUtf8(bytes)) {
      const message = `a frame of ${bytes.length} bytes is not UTF-8: it begins ${JSON.stringify(text.slice(0, 80))}`;
      return new LocalError("BAD_FRAME", message, { details: { sizeBytes: bytes.length } });
    }
    text = bytes.toString().replace(/^\uFEFF/, "");
  }
  return text.trim() === "" ? "" : text;
}
