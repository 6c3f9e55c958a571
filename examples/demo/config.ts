import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HostConfig } from "@parlance/host";

export const file = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));

const official = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [file(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

/** Five servers: of Parlance, three of others, and one that is not there. */
export function demoConfig(folder: string, url: string): HostConfig {
  return {
    server: { name: "parlance-demo", version: "1.0.0" },
    servers: {
      http: { url },
      everything: official("everything"),
      filesystem: official("filesystem", folder),
      memory: { ...official("memory"), env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } },
      nowhere: { command: "no-such-program" },
    },
  };
}

const ada = { name: "Ada", entityType: "person", observations: ["wrote the first program"] };

/** A call of a tool of each server. */
export function demoCalls(folder: string): Readonly<Record<string, readonly [tool: string, args: object]>> {
  return {
    http: ["hello", {}],
    everything: ["get-sum", { a: 19, b: 23 }],
    filesystem: ["read_text_file", { path: join(folder, "note.txt") }],
    memory: ["create_entities", { entities: [ada] }],
  };
}
