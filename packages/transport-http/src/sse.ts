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

/** The last short message, and its event: a change is told to many streams in the same words. */
let lastJson: string | undefined;
let lastEvent = "";
/** What is longer costs more to hold than to write again. */
const maxRememberedLength = 1_024;

/** One message as an event. JSON text holds no raw line break, so it is one line of data. */
export function messageEvent(json: string, id?: string): string {
  if (id !== undefined) return `id: ${id}\nevent: message\ndata: ${json}\n\n`;
  if (json === lastJson) return lastEvent;
  const event = `event: message\ndata: ${json}\n\n`;
  if (json.length > maxRememberedLength) return event;
  lastJson = json;
  lastEvent = event;
  return event;
}

/** An event that says nothing, but from which a stream can be resumed. */
export function primingEvent(id: string): string {
  return `id: ${id}\ndata:\n\n`;
}

/** Tells a reader how long to wait before it comes back. */
export function retryField(retryMs: number): string {
  return `retry: ${Math.max(0, Math.round(retryMs))}\n\n`;
}
