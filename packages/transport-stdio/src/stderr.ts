import type { Readable } from "node:stream";

/** What a child says on stderr. */
export interface Stderr {
  /** The end of it. */
  tail(): string;
  /** The line that most likely says what went wrong: the last that names an error, or else the last. */
  lastWords(): string | undefined;
}

/** How much of the end is kept for errors, in UTF-16 units. */
const tailLength = 8 * 1024;
/** A line that does not end is reported in pieces of this many UTF-16 units. */
const longestLine = 64 * 1024;

/** Reads `stream` for its whole life, so that a child that prints a lot is never blocked. `line` hears each line that is not blank. */
export function watchStderr(stream: Readable, line: (line: string) => void): Stderr {
  let rest = "";
  let tail = "";

  function say(text: string): void {
    if (text.trim() !== "") line(text.trimEnd());
  }

  stream
    .setEncoding("utf8")
    .on("data", (text: string) => {
      tail = (tail + text).slice(-tailLength);
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length >= longestLine) {
        lines.push(rest);
        rest = "";
      }
      lines.forEach(say);
    })
    .on("end", () => say(rest))
    .on("error", () => undefined);

  return {
    tail: () => tail,
    lastWords: () => (tail.match(/^\S*(?:Error|Exception|error)\b.*/gm) ?? tail.match(/.*\S/g))?.at(-1)?.trim(),
  };
}
