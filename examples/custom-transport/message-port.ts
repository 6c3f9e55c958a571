import type { MessagePort } from "node:worker_threads";
import type { Transport } from "@parlance/jsonrpc";

/**
 * MCP between threads. Setup: both ends hold one end of a port. Framing: one message of the port is one frame, a string.
 * Cancellation: `notifications/cancelled`, as on every transport without a stream for each request.
 */
export function messagePort(port: MessagePort): Transport {
  return (sink) => {
    port.on("message", (text: string) => void sink.frame(text));
    port.once("close", () => sink.closed());
    return { send: (text) => port.postMessage(text), close: async () => port.close() };
  };
}
