import { connectClient, handshake, stateless } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { spawn } from "@parlance/transport-stdio";

export async function connect({ era, command, args }) {
  const client = await connectClient({
    dial: over(spawn({ command, args })),
    info: { name: "bench", version: "1.0.0" },
    eras: era === "stateless" ? [stateless()] : [handshake()],
  });
  return {
    call: async (text) => (await client.callTool("echo", { text })).content[0].text,
    close: () => client.close(),
  };
}
