import { connect, type Handler, type JsonObject, memoryPair } from "@parlance/jsonrpc";

/** One connection to a server, by the text on the wire. */
export interface Wire {
  /** Sends a request and resolves with the message that answers it. */
  ask(method: string, params?: JsonObject): Promise<JsonObject>;
  /** Sends a text and resolves with what came back before the answer to a ping behind it. */
  say(text: string): Promise<readonly JsonObject[]>;
  close(): Promise<void>;
}

export async function openWire(handler: Handler): Promise<Wire> {
  const [near, far] = memoryPair();
  const peer = await connect(far, handler);
  const received: JsonObject[] = [];
  let heard: () => void = () => undefined;
  const channel = await near({
    frame: (text) => {
      received.push(JSON.parse(text));
      heard();
    },
    lost: () => undefined,
    closed: () => heard(),
  });
  let lastId = 0;

  async function until(id: number): Promise<JsonObject> {
    for (;;) {
      const at = received.findIndex((message) => message["id"] === id);
      const [found] = at === -1 ? [] : received.splice(at, 1);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
  }

  async function ask(method: string, params?: JsonObject): Promise<JsonObject> {
    lastId++;
    void channel.send(JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params }));
    return until(lastId);
  }

  return {
    ask,
    say: async (text) => {
      void channel.send(text);
      await ask("ping");
      return received.splice(0);
    },
    close: () => peer.close(),
  };
}

/** The `_meta` of a stateless request. */
export function envelope(version = "2026-07-28"): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "seed", version: "1.0.0" },
  };
}
