import { type ClientOptions, connectClient, handshake } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { handshakeVersions, type ProtocolVersion } from "@parlance/protocol-versions";
import { spawn } from "@parlance/transport-stdio";
import type { Driver, Open } from "./driver.js";

/** Our client. Without eras it speaks what the server speaks. */
export function parlance(eras?: ClientOptions["eras"]): Open {
  return async (program): Promise<Driver> => {
    const client = await connectClient({
      dial: over(spawn(program)),
      info: { name: "parlance", version: "1.0.0" },
      eras,
    });
    const { era, version } = client.server;
    return {
      era,
      version,
      list: async () => (await client.listTools()).map(({ name }) => name),
      call: async (name, args, options) => {
        const { content, isError = false } = await client.callTool(name, args, options);
        return { text: content.map((block) => (block.type === "text" ? block.text : "")).join("\n"), isError };
      },
      isTimeout: (error) => error instanceof Error && "code" in error && error.code === "TIMEOUT",
      close: client.close,
    };
  };
}

/** Our client, when a handshake with one revision is all that it knows. */
export function pinned(version: ProtocolVersion): Open {
  return parlance([handshake({ versions: [version] })]);
}

/** Every revision of the handshake era, newest first. */
export const revisions: readonly ProtocolVersion[] = handshakeVersions.all;
