import type { HttpHandler } from "../http.js";
import { type Listening, type ListenOptions, listen } from "./listen.js";

/**
 * How `serve` serves.
 * @stable
 */
export interface ServeOptions extends ListenOptions {
  /** The server behind the handler: it is closed too, and first, so that what clients subscribed to ends in good order. */
  readonly server?: { close(): Promise<void> } | undefined;
}

/**
 * Listens until SIGINT or SIGTERM, then lets running calls finish and closes.
 * The signals' own handling is back in place once the server is closed.
 * @throws LocalError as `listen` does
 * @stable
 */
export async function serve(handler: HttpHandler, options: ServeOptions = {}): Promise<Listening> {
  const listening = await listen(handler, options);
  const close = async (): Promise<void> => {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await Promise.all([options.server?.close(), listening.close()]);
  };
  const stop = (): void => void close(); // nobody waits for a signal handler
  process.once("SIGINT", stop).once("SIGTERM", stop);
  return { ...listening, close };
}
