import { expect } from "vitest";
import type { Behavior, Column } from "../behavior.js";

/** What a server makes of frames that no client of ours would send. */
export const framing: readonly Behavior[] = [
  {
    title: "what is no JSON, or no message, is answered, and the connection lives on",
    run: async (_, column) => {
      const wire = await column.open();
      expect(await wire.say("{")).toMatchObject({ error: { code: -32700 } });
      expect(await wire.say('{"jsonrpc":"2.0","id":7}')).toMatchObject({ error: { code: -32600 } });
      const untold = '{"jsonrpc":"2.0","id":7,"method":5}';
      expect(await wire.say(untold)).toMatchObject({ id: 7, error: { code: -32600 } });
      expect(await wire.say(callEcho(column, 8))).toMatchObject({ id: 8, result: { content: [{ text: "hello" }] } });
      await wire.close();
    },
  },
  {
    title: "ids come back as they went, 0 and empty ones too",
    run: async (_, column) => {
      const wire = await column.open();
      for (const id of [0, "", "7", 7, -1]) expect(await wire.say(callEcho(column, id))).toMatchObject({ id });
      await wire.close();
    },
  },
  {
    title: "a batch is answered in 2025-03-26, and refused in all others",
    run: async (_, column) => {
      const wire = await column.open();
      const answer = await wire.say(`[${callEcho(column, "a")},${callEcho(column, "b")}]`);
      if (column.version === "2025-03-26") expect(answer).toMatchObject([{ id: "a" }, { id: "b" }]);
      else expect(answer).toMatchObject({ error: { code: -32600 } });
      expect(await wire.say(callEcho(column, 1))).toMatchObject({ id: 1, result: {} });
      await wire.close();
    },
  },
];

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
