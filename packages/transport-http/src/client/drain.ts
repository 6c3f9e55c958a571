import type { IncomingReply, Sending } from "./wire.js";

/** How much of a body that nobody wants is read, so that its connection can be used again. */
const maxDrainedBytes = 64 * 1024;
/** How long that may take, and how long a stream may go on after its answer. */
export const lingerMs = 1_000;

/** Reads what nobody wants, and cuts what does not end soon. Never rejects. */
export async function drain(reply: IncomingReply, sending: Pick<Sending, "abort">): Promise<void> {
  const timer = setTimeout(sending.abort, lingerMs);
  let size = 0;
  try {
    await reply.read((chunk) => {
      size += chunk.byteLength;
      if (size > maxDrainedBytes) sending.abort();
    });
  } catch {
    // its connection is gone, and nobody misses it
  } finally {
    clearTimeout(timer);
  }
}
