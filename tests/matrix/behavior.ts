import { type Client, type ClientOptions, connectClient, handshake, stateless } from "@parlance/client";
import { batches, type Dial, type JsonObject, type RpcNotification } from "@parlance/jsonrpc";
import type { EraName, ProtocolVersion } from "@parlance/protocol-versions";
import { greet, type Wire } from "./wire.js";

/** Oldest first: what came with one is in all that follow. */
export const revisions: readonly ProtocolVersion[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28",
];

/** What crossed, in either direction. */
export interface Frame {
  readonly text: string;
}

/** A way to reach the server of the matrix: each connection reaches a new one. */
export interface Way {
  /** Those that can be spoken this way. */
  readonly revisions: readonly ProtocolVersion[];
  /** Whether both sides see the other one end. Streamable HTTP has nothing that could: each call is by itself. */
  readonly isConnection: boolean;
  dial(frames: Frame[]): Dial;
  wire(version: ProtocolVersion): Promise<Wire>;
  release(): Promise<void>;
}

/** One connection of a column, and all that can be seen of it. */
export interface Line {
  readonly client: Client;
  readonly frames: readonly Frame[];
  readonly notifications: readonly RpcNotification[];
  /** Settles when so many notifications have come. */
  notified(count: number): Promise<void>;
}

/** One way under one revision. */
export interface Column {
  readonly isConnection: boolean;
  readonly version: ProtocolVersion;
  readonly era: EraName;
  /** Whether the revision of this column has what came with another. */
  has(since: ProtocolVersion): boolean;
  connect(options?: Partial<ClientOptions>): Promise<Line>;
  /** A connection without a client, after the handshake if there is one. */
  open(): Promise<Wire>;
}

function eraOf(version: ProtocolVersion): EraName {
  return version === "2026-07-28" ? "stateless" : "handshake";
}

/** What is the same in every column, or differs as the revisions say. */
export interface Behavior {
  readonly title: string;
  /** Only where a session was agreed on by a handshake, or only where none is. Default: everywhere. */
  readonly only?: EraName;
  /** Whether it cannot be where nothing connects the two sides but single calls. */
  readonly needsConnection?: true;
  /** `line` is shared with the others of the column: what ends it connects by itself. */
  run(line: Line, column: Column): Promise<void>;
}

export function createColumn({ isConnection, dial, wire }: Way, version: ProtocolVersion): Column {
  const era = eraOf(version);
  return {
    isConnection,
    version,
    era,
    has: (since) => revisions.indexOf(version) >= revisions.indexOf(since),
    connect: async (options) => {
      const frames: Frame[] = [];
      const notifications: RpcNotification[] = [];
      const waiting = new Map<number, () => void>();
      const client = await connectClient({
        dial: dial(frames),
        info: { name: "matrix-client", version: "1.0.0" },
        eras: [era === "stateless" ? stateless() : handshake({ versions: [version], batches })],
        onNotification: (message) => waiting.get(notifications.push(message))?.(),
        ...options,
      });
      const notified = async (count: number): Promise<void> => {
        if (notifications.length < count) await new Promise<void>((resolve) => waiting.set(count, resolve));
      };
      return { client, frames, notifications, notified };
    },
    open: async () => {
      const opened = await wire(version);
      await greet(opened, era, version);
      return opened;
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
