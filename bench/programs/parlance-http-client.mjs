import { connectClient, handshake, stateless } from "@parlance/client";
import { http } from "@parlance/transport-http/node";

export async function connect({ era, url }) {
  const client = await connectClient({
    dial: http(url, { standaloneStream: false }),
    info: { name: "bench", version: "1.0.0" },
    eras: era === "stateless" ? [stateless()] : [handshake()],
  });
  return {
    call: async (text) => (await client.callTool("echo", { text })).content[0].text,
    close: () => client.close(),
  };
}
