import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

export async function connect({ command, args }) {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
  return {
    call: async (text) => (await client.callTool({ name: "echo", arguments: { text } })).content[0].text,
    close: () => client.close(),
  };
}
