import type { HttpHandler } from "../http.js";
import { type Listening, type ListenOptions, listen } from "./listen.js";

/**
 * Listens until SIGINT or SIGTERM, then lets running calls finish and closes.
 * The signals' own handling is back in place once the server is closed.
 * @throws LocalError as `listen` does
 * @stable
 */
export async function serve(handler: HttpHandler, options: ListenOptions = {}): Promise<Listening> {
  const listening = await listen(handler, options);
  const close = (): Promise<void> => {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    return listening.close();
  };
  const stop = (): void => void close(); // nobody waits for a signal handler
  process.once("SIGINT", stop).once("SIGTERM", stop);
  return { ...listening, close };
}
