import { type Client, type ClientOptions, connectClient, handshake, stateless } from "@parlance/client";
import { type JsonObject, over, type RpcNotification, type Transport } from "@parlance/jsonrpc";
import type { EraName, ProtocolVersion } from "@parlance/protocol-versions";
import { type RecordedFrame, record } from "@parlance/testing";

/** Oldest first: what came with one is in all that follow. */
export const revisions: readonly ProtocolVersion[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
];

/** One connection of a column, and all that can be seen of it. */
export interface Line {
  readonly client: Client;
  readonly frames: readonly RecordedFrame[];
  readonly notifications: readonly RpcNotification[];
}

/** One transport under one revision. */
export interface Column {
  readonly transport: Transport;
  readonly version: ProtocolVersion;
  readonly era: EraName;
  /** Whether the revision of this column has what came with another. */
  has(since: ProtocolVersion): boolean;
  connect(options?: Partial<ClientOptions>): Promise<Line>;
}

export function eraOf(version: ProtocolVersion): EraName {
  return version === "2026-07-28" ? "stateless" : "handshake";
}

/** What is the same in every column, or differs as the revisions say. */
export interface Behavior {
  readonly title: string;
  /** Only where a session was agreed on by a handshake, or only where none is. Default: everywhere. */
  readonly only?: EraName;
  /** `line` is shared with the others of the column: what ends it connects by itself. */
  run(line: Line, column: Column): Promise<void>;
}

export function createColumn(transport: Transport, version: ProtocolVersion): Column {
  const era = eraOf(version);
  return {
    transport,
    version,
    era,
    has: (since) => revisions.indexOf(version) >= revisions.indexOf(since),
    connect: async (options) => {
      const frames: RecordedFrame[] = [];
      const notifications: RpcNotification[] = [];
      const client = await connectClient({
        dial: over(record(transport, frames).transport),
        info: { name: "matrix-client", version: "1.0.0" },
        eras: [era === "stateless" ? stateless() : handshake({ versions: [version] })],
        onNotification: (message) => void notifications.push(message),
        ...options,
      });
      return { client, frames, notifications };
    },
  };
}

/** The text of a tool's answer. */
export async function say(client: Client, tool: string, args: JsonObject = {}): Promise<string> {
  const { content } = await client.callTool(tool, args);
  return content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join(" ");
}

/** What a promise was rejected with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it was not rejected");
}
