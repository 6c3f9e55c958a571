import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export async function connect({ era, command, args }) {
  const mode = era === "stateless" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
  return {
    call: async (text) => (await client.callTool({ name: "echo", arguments: { text } })).content[0].text,
    close: () => client.close(),
  };
}
