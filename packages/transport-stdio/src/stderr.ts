import type { Readable } from "node:stream";

/** What a child says on stderr. */
export interface Stderr {
  /** The end of it. */
  tail(): string;
  /** The line that most likely says what went wrong: the last that names an error, or else the last. */
  lastWords(): string | undefined;
}

/** A line that does not end is reported in pieces of this many UTF-16 units. */
const longestLine = 64 * 1024;

/** Reads `stream` for its whole life, so that a child that prints a lot is never blocked. `line` hears each line that is not blank. */
export function watchStderr(stream: Readable, tailLength: number, line: (line: string) => void): Stderr {
  let rest = "";
  let tail = "";

  function say(text: string): void {
    const trimmed = text.trimEnd();
    if (trimmed !== "") line(trimmed);
  }

  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    tail = (tail + text).slice(-tailLength);
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const each of lines) say(each);
    if (rest.length < longestLine) return;
    say(rest);
    rest = "";
  });
  stream.on("end", () => say(rest));
  stream.on("error", () => undefined);

  return {
    tail: () => tail,
    lastWords() {
      const lines = tail.split("\n").filter((each) => each.trim() !== "");
      const error = lines.findLast((each) => /^\S*(?:Error|Exception|error)\b.*:/.test(each));
      return (error ?? lines.at(-1))?.trim();
    },
  };
}
