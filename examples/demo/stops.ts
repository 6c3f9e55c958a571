import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ClientOptions, handshake } from "@parlance/client";

/** A server to visit, and what to ask it. */
export interface Stop {
  readonly name: string;
  readonly args: readonly string[];
  /** Default: Node. */
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: whatever the server speaks. */
  readonly eras?: ClientOptions["eras"];
  readonly tool: string;
  readonly toolArgs: Readonly<Record<string, unknown>>;
}

const file = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));
const official = (name: string): string => file(`@modelcontextprotocol/server-${name}/dist/index.js`);

const greeter = { args: [file("@parlance/example-stdio-server")], tool: "greet", toolArgs: { name: "Ada" } };
const ada = { name: "Ada", entityType: "person", observations: ["wrote the first program"] };

export function stops(folder: string): readonly Stop[] {
  return [
    { name: "greeter", ...greeter },
    { name: "greeter, pinned", ...greeter, eras: [handshake()] },
    { name: "everything", args: [official("everything")], tool: "get-sum", toolArgs: { a: 19, b: 23 } },
    {
      name: "filesystem",
      args: [official("filesystem"), folder],
      tool: "read_text_file",
      toolArgs: { path: join(folder, "note.txt") },
    },
    {
      name: "memory",
      args: [official("memory")],
      env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
      tool: "create_entities",
      toolArgs: { entities: [ada] },
    },
    { name: "nowhere", command: "no-such-program", args: [], tool: "none", toolArgs: {} },
  ];
}
