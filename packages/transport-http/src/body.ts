import { LocalError } from "@parlance/jsonrpc";

/** Gathers the chunks of a body up to a limit and decodes them once, as strict UTF-8. */
export interface BodyText {
  /** @throws LocalError `FRAME_TOO_LONG` */
  add(chunk: Uint8Array): void;
  /** @throws LocalError `BAD_FRAME` when the bytes are not UTF-8 */
  text(): string;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Starts gathering a body of at most `maxBytes`. */
export function bodyText(maxBytes: number): BodyText {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLong(size, maxBytes);
      chunks.push(chunk);
    },
    text: () => decodeText(joined(chunks, size)),
  };
}

/** @throws LocalError `BAD_FRAME` when the bytes are not UTF-8 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new LocalError("BAD_FRAME", "The body is not UTF-8", { cause });
  }
}

/** The error for a body that says, or shows, that it is over the limit. */
export function tooLong(size: number, maxBytes: number): LocalError {
  return new LocalError("FRAME_TOO_LONG", `The body has ${size} bytes or more; the limit is ${maxBytes}`, {
    details: { size, limit: maxBytes },
  });
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
