import type { Transport } from "@parlance/jsonrpc";
import type { EraName, ProtocolVersion } from "@parlance/protocol-versions";

/** One connection by its text. */
export interface Wire {
  /** Sends a frame and resolves with what answers it. */
  say(text: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Shakes hands if the era does. */
export async function greet(wire: Wire, era: EraName, version: ProtocolVersion): Promise<void> {
  if (era === "stateless") return;
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "wire", version: "1.0.0" } };
  await wire.say(JSON.stringify({ jsonrpc: "2.0", id: "initialize", method: "initialize", params }));
}

export async function openPipeWire(transport: Transport): Promise<Wire> {
  let answered: (answer: unknown) => void = () => undefined;
  const channel = await transport({
    frame: (text) => answered(JSON.parse(text)),
    lost: (error) => answered(error),
    closed: (cause) => answered(cause),
  });
  return {
    say: (text) =>
      new Promise((resolve) => {
        answered = resolve;
        void channel.send(text);
      }),
    close: () => channel.close(),
  };
}

/** Streamable HTTP: the headers are those that the text asks for. */
export function openHttpWire(url: string, version: ProtocolVersion): Wire {
  const headers = new Headers({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  });
  return {
    say: async (text) => {
      for (const [name, value] of Object.entries(mirrored(text))) headers.set(name, value);
      const response = await fetch(url, { method: "POST", headers, body: text });
      headers.set("mcp-protocol-version", version);
      const session = response.headers.get("mcp-session-id");
      if (session !== null) headers.set("mcp-session-id", session);
      const body = await response.text();
      return JSON.parse(isStream(response) ? (dataOf(body).at(-1) ?? "") : body);
    },
    close: async () => undefined,
  };
}

/** HTTP+SSE: what is said is refused at once, or answered on the stream. */
export async function openSseWire(url: string): Promise<Wire> {
  const hangUp = new AbortController();
  const { body } = await fetch(url, { headers: { accept: "text/event-stream" }, signal: hangUp.signal });
  const events = read(body ?? new ReadableStream());
  const endpoint = new URL((await events.next()).value ?? "", url);
  return {
    say: async (text) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(endpoint, { method: "POST", headers, body: text });
      const refused = await response.text();
      return JSON.parse(response.ok ? ((await events.next()).value ?? "") : refused);
    },
    close: async () => hangUp.abort(),
  };
}

function mirrored(text: string): Readonly<Record<string, string>> {
  if (!text.includes('"tools/call"') || text.startsWith("[")) return {};
  const { method, params } = JSON.parse(text);
  return { "mcp-method": method, "mcp-name": params.name };
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type") === "text/event-stream";
}

function dataOf(stream: string): readonly string[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data);
}

async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) yield* dataOf(event);
  }
}
