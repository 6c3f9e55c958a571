import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
}

const require = createRequire(import.meta.url);

export const referenceServers = ["everything", "filesystem", "memory", "sequential-thinking"] as const;

/** Starts a reference server, lists its tools, and ends it. Written out, so that it depends on nothing that is tested. */
export async function toolsOf(name: (typeof referenceServers)[number]): Promise<readonly ListedTool[]> {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  const { bin } = require(manifest) as { readonly bin: Readonly<Record<string, string>> };
  const args = [
    join(dirname(manifest), Object.values(bin)[0] ?? ""),
    ...(name === "filesystem" ? [dirname(manifest)] : []),
  ];
  const server = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  try {
    const send = (message: object): void =>
      void server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "tests", version: "0" } };
    send({ id: 1, method: "initialize", params });
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/list", params: {} });
      } else if (id === 2) return result.tools;
    }
    throw new Error(`server-${name} ended without listing its tools`);
  } finally {
    server.kill();
  }
}
