import { connectClient, listTools, stateless } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { record } from "@parlance/testing";
import { expect, test } from "vitest";
import { transports } from "./transports.js";

test.each(Object.entries(transports))(
  "STD-12, JR-27: over %s a server of the stateless era writes answers and what belongs to an open request",
  async (_, reach) => {
    const way = reach();
    const { transport, frames } = record(way.transport);
    const client = await connectClient({
      dial: over(transport),
      info: { name: "listener", version: "1" },
      eras: [stateless()],
    });
    await Promise.all([
      listTools(client),
      client.callTool("progress", {}, { onProgress: () => undefined }),
      client.callTool("progress"),
      client.callTool("none").catch(() => undefined),
    ]);
    await client.close();
    way.release();

    const waiting = new Set<unknown>();
    const tokens = new Map<unknown, unknown>();
    for (const { direction, message } of frames) {
      const { id, method, params } = Object(message);
      if (direction === "sent" && method !== undefined && id !== undefined) {
        waiting.add(id);
        tokens.set(params._meta.progressToken, id);
      } else if (direction === "received" && method === undefined) {
        expect(waiting.delete(id)).toBe(true);
      } else if (direction === "received") {
        expect({ id, method }).toEqual({ id: undefined, method: "notifications/progress" });
        expect(waiting.has(tokens.get(params.progressToken))).toBe(true);
      }
    }
    expect(waiting.size).toBe(0);
    expect(frames.some(({ text }) => text.includes("notifications/progress"))).toBe(true);
  },
);
