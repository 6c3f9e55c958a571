import { describe, expect, test } from "vitest";
import { derive } from "./exchange.js";
import type { Exchange } from "./handler.js";
import { openWire, request } from "./wire.fixture.js";

describe("derive", () => {
  const never = new AbortController().signal;

  test("changes what it is told to, takes away what is set to undefined and keeps the rest", async () => {
    const base: Exchange = {
      connection: { closed: never },
      principal: { id: "a", scopes: [] },
      signal: never,
      notify: async () => {},
      request: async () => ({}),
      header: () => "value",
      afterReply: () => {},
      release: () => {},
    };
    expect(members(derive(base, {}))).toEqual(members(base));
    const principal = { id: "b", scopes: ["all"] };
    const derived = derive(base, { principal, request: undefined, afterReply: undefined });
    expect(members(derived)).toEqual({ ...members(base), principal, request: undefined, afterReply: undefined });
    const nothing = { header: undefined, release: undefined, principal: undefined };
    expect(members(derive(base, nothing))).toEqual({ ...members(base), ...nothing });
  });

  test("reads neither side before it is asked, so what is lazy stays lazy", () => {
    const read: string[] = [];
    const lazy = (name: string): Partial<Exchange> => ({
      get signal() {
        read.push(name);
        return never;
      },
    });
    const base = Object.defineProperties(derive(lazy("base") as Exchange, {}), {});
    const derived = derive(base, lazy("change"));
    expect(read).toEqual([]);
    expect(derived.signal).toBe(never);
    expect(read).toEqual(["change"]);
    expect(derive(base, {}).signal).toBe(never);
    expect(read).toEqual(["change", "base"]);
  });
});

describe("the exchange of a pipe", () => {
  test("BUG-83, PRG-07: notifications come before the reply, and none after it", async () => {
    let kept: Exchange | undefined;
    const wire = await openWire({
      request: (_, exchange) => {
        kept = exchange;
        for (let step = 1; step <= 3; step++) void exchange.notify("notifications/progress", { progress: step });
        return {};
      },
    });
    wire.receive(request(1));
    await kept?.notify("notifications/progress", { progress: 4 });
    expect(wire.sent).toMatchObject([
      { params: { progress: 1 } },
      { params: { progress: 2 } },
      { params: { progress: 3 } },
      { id: 1, result: {} },
    ]);
  });

  test("it asks the caller", async () => {
    const wire = await openWire({ request: async (_, exchange) => ({ told: await exchange.request?.("ask", {}) }) });
    wire.receive(request("a"));
    wire.receive({ jsonrpc: "2.0", id: 1, result: { name: "caller" } });
    await wire.peer.request("settle", {}, { signal: AbortSignal.abort() }).catch(() => {});
    expect(wire.sent).toMatchObject([{ method: "ask" }, { id: "a", result: { told: { name: "caller" } } }]);
  });

  test("what is to follow the reply follows it at once", async () => {
    const wire = await openWire({
      request: ({ id }, exchange) => {
        exchange.afterReply?.("after", { id });
        return {};
      },
    });
    wire.receive(request(1));
    expect(wire.sent).toMatchObject([{ id: 1 }, { method: "after", params: { id: 1 } }]);
  });

  test("every request of a connection sees the same connection", async () => {
    const seen = new Set<unknown>();
    const wire = await openWire({
      request: (_, { connection }) => {
        seen.add(connection);
        return {};
      },
      notification: (_, connection) => void seen.add(connection),
    });
    wire.receive(request(1));
    wire.receive(request(2));
    wire.receive({ jsonrpc: "2.0", method: "a" });
    expect(seen.size).toBe(1);
  });
});

function members(exchange: Exchange): Partial<Exchange> {
  const { connection, principal, signal, notify, request: ask, header, afterReply, release } = exchange;
  return { connection, principal, signal, notify, request: ask, header, afterReply, release };
}
