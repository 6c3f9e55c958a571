import type { Connection } from "@parlance/jsonrpc";

/** Hears that a connection is gone; at once, if it is. */
export function hearEnd(connection: Connection, listener: () => void): void {
  if (connection.onClosed !== undefined) connection.onClosed(listener);
  else if (connection.closed.aborted) listener();
  else connection.closed.addEventListener("abort", listener, { once: true });
}
