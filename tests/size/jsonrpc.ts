// JSON-RPC by itself: messages in, answers out.
import { answer } from "@parlance/jsonrpc";

const text = await answer({ request: ({ params = {} }) => params }, process.argv[2] ?? "");
process.stdout.write(text ?? "");
