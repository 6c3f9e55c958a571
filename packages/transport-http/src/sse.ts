/** The media type of a stream of events. */
export const eventStream = "text/event-stream";

/** What every event stream is sent with: nothing between us and the reader may hold it back. */
export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": eventStream,
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** A line that readers ignore, to keep a silent stream from being cut. */
export const keepAliveComment = ":\n\n";

/** One message as an event. JSON text holds no raw line break, so it is one line of data. */
export function messageEvent(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}
