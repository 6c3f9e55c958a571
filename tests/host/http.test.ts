import { startServers } from "@parlance/host";
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { anonymous, createHttpHandler, type HttpBinding, sseTransportBinding } from "@parlance/transport-http";
import { type Listening, listen } from "@parlance/transport-http/node";
import { expect, test, vi } from "vitest";
import { leavesNothing } from "../faults/census.js";
import { textOf } from "./peers.js";

async function serve(port = 0, bindings?: readonly HttpBinding[]): Promise<Listening & { readonly port: number }> {
  const hello = tool({ name: "hello", description: "Says hello", run: () => "hello" });
  const server = createServer({ info: { name: "h", version: "1.0.0" }, features: [createToolRegistry([hello])] });
  const listening = await listen(createHttpHandler(server, { auth: anonymous(), bindings }), { port });
  return { ...listening, port: Number(new URL(listening.url).port) };
}

test.each(["stateless", "handshake"] as const)(
  "a server over HTTP that is gone for a while comes back, %s",
  {
    timeout: 20_000,
  },
  async (era) => {
    await leavesNothing(async () => {
      const registry = createToolRegistry();
      const first = await serve();
      const restart = { maxTries: 1_000, delayMs: 5, maxDelayMs: 20 };
      const servers = { docs: { url: first.url, era, restart } };
      const host = await startServers({ servers }, registry, { print: () => undefined });
      expect(await textOf(registry, "hello")).toBe("hello");
      await first.close();
      expect(await textOf(registry, "hello")).toBe('error: tool "hello" failed: server "docs" cannot be reached');
      await vi.waitUntil(() => host.server("docs")?.state === "restarting", { interval: 1 });
      expect(await textOf(registry, "hello")).toMatch(
        /is unavailable: server "docs" cannot be reached and is being started again/,
      );
      const second = await serve(first.port);
      await vi.waitUntil(() => host.server("docs")?.connected, { interval: 1, timeout: 10_000 });
      expect(await textOf(registry, "hello")).toBe("hello");
      await host.close();
      await second.close();
    });
  },
);

test("a server that knows only the HTTP+SSE of 2024 is reached by that name, and by no other", async () => {
  const registry = createToolRegistry();
  const server = await serve(0, [sseTransportBinding()]);
  const { url } = server;
  const servers = { old: { url, transport: "http+sse" }, other: { url, transport: "http", prefix: "other_" } } as const;
  const host = await startServers({ servers }, registry, { print: () => undefined });
  expect(host.server("old")).toMatchObject({ connected: true, era: "handshake", tools: ["hello"] });
  expect(await textOf(registry, "hello")).toBe("hello");
  expect(host.server("other")).toMatchObject({ state: "failed" });
  await host.close();
  await server.close();
});
