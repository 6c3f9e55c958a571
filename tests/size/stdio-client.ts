// A client that starts a server and calls one tool.
import { connectClient } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { spawn } from "@parlance/transport-stdio";

const [command = "", ...args] = process.argv.slice(2);
const client = await connectClient({
  dial: over(spawn({ command, args })),
  info: { name: "caller", version: "1.0.0" },
});
const { content } = await client.callTool("time", {});
process.stdout.write(JSON.stringify(content));
await client.close();
