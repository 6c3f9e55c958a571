import { type Client, type ClientOptions, connectClient, handshake, stateless } from "@parlance/client";
import { batches, connect, type Handler, LocalError, memoryPair, over } from "@parlance/jsonrpc";
import type { ClientEra, EraName, ProtocolVersion } from "@parlance/protocol-versions";
import { type RecordedFrame, record } from "./recorder.js";

/**
 * How a client is joined to a server in memory: what `connectClient` takes, with the eras by their names.
 * @stable
 */
export interface InMemoryOptions extends Omit<Partial<ClientOptions>, "dial" | "eras"> {
  /** The era to speak; `"dual"` lets the two sides negotiate. Default `"dual"`. */
  readonly era?: EraName | "dual" | undefined;
  /** The one revision to offer; it implies its era. */
  readonly version?: ProtocolVersion | undefined;
  /** Gets every frame that crosses, seen from the client. */
  readonly frames?: RecordedFrame[] | undefined;
}

/**
 * Joins a client to a server in this process, through the real protocol but without a port or a process.
 * Closing the client closes the connection; the server stays open.
 * @throws what `connectClient` throws
 * @stable
 */
export async function connectInMemory(server: Handler, options: InMemoryOptions = {}): Promise<Client> {
  const { era, version, frames, ...rest } = options;
  if (typeof server?.request !== "function") {
    throw new LocalError(
      "INVALID_ARGUMENT",
      "server answers no requests; make one of features: createServer({ info, features })",
    );
  }
  const eras = erasFor(era, version);
  const [near, far] = memoryPair();
  await connect(far, server);
  return connectClient({
    info: { name: "test-client", version: "1.0.0" },
    ...rest,
    dial: over(record(near, frames).transport),
    eras,
  });
}

function erasFor(era: EraName | "dual" = "dual", version?: ProtocolVersion | undefined): readonly ClientEra[] {
  if (version !== undefined) {
    const newer = stateless();
    return [newer.versions.includes(version) ? newer : handshake({ versions: [version], batches })];
  }
  switch (era) {
    case "stateless":
      return [stateless()];
    case "handshake":
      return [handshake()];
    case "dual":
      return [stateless(), handshake()];
    default:
      throw new LocalError(
        "INVALID_ARGUMENT",
        `era is ${era satisfies never}, and should be stateless, handshake or dual`,
      );
  }
}
