// A connection both ways over a transport of one's own.
import { connect, type Transport } from "@parlance/jsonrpc";

const port: Transport = (sink) => {
  process.on("message", (text) => void sink.frame(String(text)));
  process.once("disconnect", () => sink.closed());
  return { send: (text) => void process.send?.(text), close: async () => process.disconnect() };
};
const peer = await connect(port, { request: ({ params = {} }) => params });
await peer.request("ping", {});
