import { eventStream } from "./sse.js";

/** Whether a `Content-Type` is the media type, whatever its parameters and case. */
export function isMediaType(header: string | null, type: string): boolean {
  return header === type || (header !== null && (header.split(";", 1)[0] ?? "").trim().toLowerCase() === type);
}

/**
 * Whether an `Accept` lets a media type through: listed or by wildcard, the most specific range deciding, and not with `q=0`.
 * An absent header accepts everything.
 * @see RFC 9110, section 12.5.1
 */
function accepts(header: string | null, type: string): boolean {
  if (header === null || header.trim() === "") return true;
  const any = `${type.slice(0, type.indexOf("/"))}/*`;
  let best = -1;
  let quality = 0;
  for (const range of header.split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const rank = name === type ? 2 : name === any ? 1 : name === "*/*" ? 0 : -1;
    if (rank <= best) continue;
    best = rank;
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    quality = weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return quality > 0;
}

/** What a caller takes. */
export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

/** How many different headers are remembered: clients send one of a few. */
const remembered = 64;
const known = new Map<string | null, Accepted>();

/** Which of the two kinds of answer an `Accept` lets through. */
export function accepted(header: string | null): Accepted {
  const before = known.get(header);
  if (before !== undefined) return before;
  const found = { json: accepts(header, "application/json"), events: accepts(header, eventStream) };
  if (known.size < remembered) known.set(header, found);
  return found;
}
