import { StreamableHTTPClientTransport, Client as TheirClient } from "@modelcontextprotocol/client";
import { type ClientOptions, connectClient } from "@parlance/client";

/** A client that is connected, whoever wrote it. */
export interface Guest {
  readonly era: string;
  readonly version: string;
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<readonly Block[]>;
  close(): Promise<void>;
}

interface Block {
  readonly type: string;
  readonly text?: unknown;
}

const info = { name: "parlance-demo-guest", version: "1.0.0" };

/** @param eras default: whatever the server speaks */
export async function ours(dial: ClientOptions["dial"], eras?: ClientOptions["eras"]): Promise<Guest> {
  const client = await connectClient({ dial, eras, info });
  return {
    era: client.server.era,
    version: client.server.version,
    call: async (tool, args) => (await client.callTool(tool, args)).content,
    close: () => client.close(),
  };
}

/** The official client, which finds out by itself what the server speaks. */
export async function theirs(url: string): Promise<Guest> {
  const client = new TheirClient(info, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return {
    era: client.getProtocolEra() === "modern" ? "stateless" : "handshake",
    version: client.getNegotiatedProtocolVersion() ?? "unknown",
    call: async (name, args) => (await client.callTool({ name, arguments: args })).content,
    close: () => client.close(),
  };
}

/** What blocks say, in one line. */
export function lineOf(content: readonly Block[]): string {
  const text = content.map((block) => (typeof block.text === "string" ? block.text : block.type)).join(" ");
  return text.replace(/\s+/g, " ").trim();
}
