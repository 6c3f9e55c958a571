import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LocalError } from "./error.js";
import type { Exchange } from "./handler.js";
import { deferred, openWire, request, settled } from "./wire.fixture.js";

const cancelled = (params?: unknown): object => ({ jsonrpc: "2.0", method: "notifications/cancelled", params });

describe("giving up on a request of ours", () => {
  test("BUG-78, CAN-05: the promise rejects with the reason and the peer is told once", async () => {
    const wire = await openWire();
    const controller = new AbortController();
    const reason = new Error("the user left");
    const answer = wire.peer.request("a", {}, { signal: controller.signal });
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    expect(wire.sent.slice(1)).toEqual([cancelled({ requestId: 1 })]);
  });

  test("a reason that is meant to be read is told: text, or an error of ours", async () => {
    const wire = await openWire();
    for (const reason of ["no longer needed", new LocalError("TIMEOUT", "no answer within 5 ms")]) {
      const controller = new AbortController();
      const answer = wire.peer.request("a", {}, { signal: controller.signal });
      controller.abort(reason);
      await expect(answer).rejects.toBe(reason);
    }
    expect(wire.sent.filter((message) => !("id" in Object(message)))).toEqual([
      cancelled({ requestId: 1, reason: "no longer needed" }),
      cancelled({ requestId: 2, reason: "no answer within 5 ms" }),
    ]);
  });

  test("CAN-03: what must not be cancelled is given up in silence", async () => {
    const wire = await openWire();
    const controller = new AbortController();
    const answer = wire.peer.request("a", {}, { signal: controller.signal, cancellable: false });
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(wire.sent).toHaveLength(1);
  });

  test("a request whose signal is aborted already does not leave", async () => {
    const wire = await openWire();
    const answer = wire.peer.request("a", {}, { signal: AbortSignal.abort() });
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(wire.sent).toEqual([]);
  });

  test("CAN-09, BUG-70: an answer that comes late is reported and dropped; the connection stays", async () => {
    const wire = await openWire();
    const controller = new AbortController();
    const answer = wire.peer.request("a", {}, { signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    wire.receive({ jsonrpc: "2.0", id: 1, result: {} });
    expect(wire.reports).toMatchObject([{ kind: "stray_response", response: { id: 1 } }]);
    expect(wire.peer.closed.aborted).toBe(false);
  });

  test("an abort while the id is told keeps the request from leaving", async () => {
    const wire = await openWire();
    const controller = new AbortController();
    const started = (): void => controller.abort("at once");
    await expect(wire.peer.request("a", {}, { signal: controller.signal, started })).rejects.toBe("at once");
    expect(wire.sent).toEqual([]);
  });

  test("CAN-01, BUG-122, BUG-125: after the answer the signal is let go, and an abort sends nothing", async () => {
    const wire = await openWire();
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    for (let id = 1; id <= 100; id++) {
      const answer = wire.peer.request("a", {}, { signal });
      expect(listeners).toBe(1);
      wire.receive({ jsonrpc: "2.0", id, result: {} });
      await answer;
    }
    expect(listeners).toBe(0);
    controller.abort();
    expect(wire.sent).toHaveLength(100);
  });
});

describe("being told that an answer is not wanted", () => {
  test.each([[0], [""], ["7"], [7]])(
    "BUG-80, CAN-07, CAN-13, STD-16, STD-17: request %j is aborted with the reason, and nothing more is sent for it",
    async (id) => {
      const answer = deferred<object>();
      let exchange: Exchange | undefined;
      const wire = await openWire({
        request: async (_, given) => {
          exchange = given;
          await answer.promise;
          return {};
        },
      });
      wire.receive(request(id));
      const { signal } = exchange ?? expect.unreachable();
      wire.receive(cancelled({ requestId: id, reason: "changed my mind" }));
      expect(signal.reason).toMatchObject({ name: "AbortError", message: "changed my mind" });
      await exchange?.notify("notifications/progress", {});
      exchange?.afterReply?.("late", {});
      answer.resolve({});
      await settled();
      expect(wire.sent).toEqual([]);
    },
  );

  test("a signal that is looked at only afterwards is aborted too", async () => {
    let exchange: Exchange | undefined;
    const wire = await openWire({
      request: (_, given) => {
        exchange = given;
        return new Promise(() => {});
      },
    });
    wire.receive(request(1));
    wire.receive(cancelled({ requestId: 1 }));
    expect(exchange?.signal.aborted).toBe(true);
    expect(exchange?.signal).toBe(exchange?.signal);
  });

  test("a handler that stops because of it is no fault; one that fails for another reason is", async () => {
    const go = deferred<void>();
    const wire = await openWire({
      request: async ({ id }, { signal }) => {
        await go.promise;
        if (id === 1) signal.throwIfAborted();
        throw new Error("broken");
      },
    });
    for (const id of [1, 2]) {
      wire.receive(request(id));
      wire.receive(cancelled({ requestId: id }));
    }
    go.resolve();
    await settled();
    expect(wire.sent).toEqual([]);
    expect(wire.reports).toMatchObject([{ kind: "handler_failed", id: 2, error: { message: "broken" } }]);
  });

  test("CAN-08, CAN-11, CAN-12: one that names no running request goes to the handler and is not answered", async () => {
    const heard: unknown[] = [];
    const wire = await openWire({
      request: ({ id }) => (id === 1 ? new Promise(() => {}) : {}),
      notification: ({ params }) => void heard.push(params),
    });
    wire.receive(request(1));
    wire.receive(request(2));
    const strange = [{ requestId: 2 }, { requestId: "1" }, { requestId: null }, { requestId: {} }, {}, undefined];
    for (const params of strange) wire.receive(cancelled(params));
    expect(heard).toEqual(strange);
    expect(wire.sent).toHaveLength(1);
  });

  test("its id is free again, and the first answer does not pass for the second", async () => {
    const answers = [deferred<object>(), deferred<object>()];
    let runs = 0;
    const wire = await openWire({
      request: async () => {
        const run = runs++;
        await answers[run]?.promise;
        return { run };
      },
    });
    wire.receive(request(1));
    wire.receive(cancelled({ requestId: 1 }));
    wire.receive(request(1));
    answers[0]?.resolve({});
    await settled();
    expect(wire.sent).toEqual([]);
    answers[1]?.resolve({});
    await settled();
    expect(wire.sent).toMatchObject([{ id: 1, result: { run: 1 } }]);
  });

  test("STD-14: a slow request holds up neither others nor its own cancellation", async () => {
    const wire = await openWire({ request: ({ method }) => (method === "slow" ? new Promise(() => {}) : {}) });
    wire.receive(request(1, "slow"));
    wire.receive(request(2, "fast"));
    wire.receive(cancelled({ requestId: 1 }));
    wire.receive(request(1, "fast"));
    expect(wire.sent).toMatchObject([{ id: 2 }, { id: 1 }]);
  });

  test("CAN-10: however answers and cancellations cross, each request gets one answer or none", async () => {
    const step = fc.record({ id: fc.integer({ min: 0, max: 3 }), act: fc.constantFrom("ask", "answer", "cancel") });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const open = new Map<number, () => void>();
        const expected: number[] = [];
        const wire = await openWire({
          request: ({ id }) => new Promise((resolve) => open.set(Number(id), () => resolve({}))),
        });
        for (const { id, act } of steps) {
          if (act === "ask" && !open.has(id)) wire.receive(request(id));
          if (act === "cancel") {
            wire.receive(cancelled({ requestId: id }));
            open.get(id)?.();
            open.delete(id);
          }
          if (act === "answer" && open.has(id)) {
            open.get(id)?.();
            open.delete(id);
            expected.push(id);
            await settled();
          }
        }
        await settled();
        expect(wire.sent).toEqual(expected.map((id) => ({ jsonrpc: "2.0", id, result: {} })));
        expect(wire.reports).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
