import { expect } from "vitest";
import type { Behavior, Column } from "../behavior.js";

/** What a server makes of frames that no client of ours would send. */
export const framing: readonly Behavior[] = [
  {
    title: "what is no JSON, or no message, is answered, and the connection lives on",
    run: async (_, column) => {
      const wire = await openWire(column);
      expect(await wire.say("{")).toMatchObject({ error: { code: -32700 } });
      expect(await wire.say('{"jsonrpc":"2.0","id":7}')).toMatchObject({ id: 7, error: { code: -32600 } });
      expect(await wire.say(callEcho(column, 8))).toMatchObject({ id: 8, result: { content: [{ text: "hello" }] } });
      await wire.close();
    },
  },
  {
    title: "ids come back as they went, 0 and empty ones too",
    run: async (_, column) => {
      const wire = await openWire(column);
      for (const id of [0, "", "7", 7, -1]) expect(await wire.say(callEcho(column, id))).toMatchObject({ id });
      await wire.close();
    },
  },
  {
    title: "a batch is answered in 2025-03-26, and refused in all others",
    run: async (_, column) => {
      const wire = await openWire(column);
      const answer = await wire.say(`[${callEcho(column, "a")},${callEcho(column, "b")}]`);
      if (column.version === "2025-03-26") expect(answer).toMatchObject([{ id: "a" }, { id: "b" }]);
      else expect(answer).toMatchObject({ error: { code: -32600 } });
      expect(await wire.say(callEcho(column, 1))).toMatchObject({ id: 1, result: {} });
      await wire.close();
    },
  },
];

interface Wire {
  /** Sends a frame and resolves with what answers it. */
  say(text: string): Promise<unknown>;
  close(): Promise<void>;
}

/** One connection by its text, after the handshake if there is one. */
async function openWire({ transport, era, version }: Column): Promise<Wire> {
  let answered: (answer: unknown) => void = () => undefined;
  const channel = await transport({
    frame: (text) => answered(JSON.parse(text)),
    lost: (error) => answered(error),
    closed: (cause) => answered(cause),
  });
  const say = (text: string): Promise<unknown> =>
    new Promise((resolve) => {
      answered = resolve;
      void channel.send(text);
    });
  if (era === "handshake") {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "wire", version: "1.0.0" } };
    await say(JSON.stringify({ jsonrpc: "2.0", id: "initialize", method: "initialize", params }));
    await channel.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }
  return { say, close: () => channel.close() };
}

function callEcho({ era, version }: Column, id: string | number): string {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1.0.0" },
  };
  const _meta = era === "stateless" ? { _meta: envelope } : {};
  const params = { name: "echo", arguments: { text: "hello" }, ..._meta };
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
}
