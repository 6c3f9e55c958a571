import { EventStream, type StreamSettings } from "./event-stream.js";
import type { HttpArrival } from "./http.js";
import type { MessageStream } from "./outlet.js";
import { eventStreamHeaders, messageEvent } from "./sse.js";

/**
 * A stream of messages that belongs to one request and ends with it.
 * @throws AccessError `RATE_LIMITED` when the caller has too many streams
 */
export function messageStream(arrival: HttpArrival, settings: StreamSettings): MessageStream {
  const stream = new EventStream(arrival, settings);
  return {
    send: (json) => stream.send(messageEvent(json)),
    comment: (text) => void stream.send(text), // settles by itself, and nobody waits
    finish: (json) => stream.end(json === undefined ? undefined : messageEvent(json)),
    reply: { status: 200, headers: eventStreamHeaders, body: stream.body },
  };
}
