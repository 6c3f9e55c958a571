// The MCP client of the AI SDK, with the face that the behaviors are tried through.
import { createMCPClient } from "@ai-sdk/mcp";
import { answer } from "./face.mjs";

export async function open({ url }) {
  const client = await createMCPClient({ transport: { type: "http", url } });
  const { protocolVersion } = client.initializeResult;
  return {
    era: protocolVersion === "2026-07-28" ? "stateless" : "handshake",
    version: protocolVersion,
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, { signal, timeoutMs } = {}) =>
      answer(await client.callTool({ name, arguments: args, options: { signal, timeout: timeoutMs } })),
    isTimeout: (error) => /timed? ?out/i.test(error.message),
    close: () => client.close(),
  };
}
