import { describe, expect, test, vi } from "vitest";
import { connect, over } from "./connect.js";
import { LocalError } from "./error.js";
import type { Exchange, Handler } from "./handler.js";
import type { Sink } from "./transport.js";
import { deferred, openWire, request, settled } from "./wire.fixture.js";

describe("opening", () => {
  const handler: Handler = { request: () => ({}) };

  test("what a transport delivers before it is open is kept, in order, and asks it to wait", async () => {
    const sent: string[] = [];
    let held: unknown;
    const peer = await connect(async (sink) => {
      held = sink.frame(JSON.stringify(request(1)));
      sink.lost(new LocalError("BAD_FRAME", "not UTF-8"));
      void sink.frame(JSON.stringify(request(2)));
      return { send: (text) => void sent.push(text), close: async () => {} };
    }, handler);
    await held;
    expect(sent.map((text) => JSON.parse(text))).toMatchObject([{ id: 1 }, { error: { code: -32700 } }, { id: 2 }]);
    expect(peer.closed.aborted).toBe(false);
  });

  test("a transport that cannot be opened rejects `connect` with its own error", async () => {
    const failure = new LocalError("SPAWN_FAILED", "no such program");
    await expect(connect(() => Promise.reject(failure), handler)).rejects.toBe(failure);
    await expect(
      connect(() => {
        throw failure;
      }, handler),
    ).rejects.toBe(failure);
  });

  test("a transport that closed at once gives a closed peer and is let go", async () => {
    let closes = 0;
    const peer = await connect(async (sink) => {
      sink.closed(new Error("exit code 1"));
      return { send: () => {}, close: async () => void closes++ };
    }, handler);
    expect(peer.closed.reason).toMatchObject({ code: "CLOSED", cause: { message: "exit code 1" } });
    expect(closes).toBe(1);
  });

  test("`over` opens the transport at each call, reports what is malformed and hands names on", async () => {
    const sinks: Sink[] = [];
    const sent: string[] = [];
    const dial = over(
      (sink) => {
        sinks.push(sink);
        return { send: (text) => void sent.push(text), close: async () => {} };
      },
      { authority: "node server.js", partition: "me" },
    );
    const peers = [await dial(handler), await dial(handler)];
    expect(sinks).toHaveLength(2);
    expect(peers[0]).toMatchObject({ carrier: "pipe", authority: "node server.js", partition: "me" });
    void sinks[0]?.frame("not JSON");
    sinks[0]?.lost(new LocalError("FRAME_TOO_LONG", "too long"));
    expect(sent).toEqual([]);
  });
});

describe("frames that are lost", () => {
  test("JR-02, STD-04: a server answers them without id, a client does not, both report and go on", async () => {
    const server = await openWire();
    server.sink.lost(new LocalError("FRAME_TOO_LONG", "too long"));
    server.sink.lost(new LocalError("BAD_FRAME", "not UTF-8"));
    expect(server.texts).toEqual([
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"too long"}}',
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"not UTF-8"}}',
    ]);
    const client = await openWire({}, { malformed: "report" });
    client.sink.lost(new LocalError("BAD_FRAME", "not UTF-8"));
    expect(client.sent).toEqual([]);
    expect([...server.reports, ...client.reports].map(({ kind }) => kind)).toEqual(Array(3).fill("frame_lost"));
    server.receive(request(1));
    expect(server.sent).toHaveLength(3);
  });
});

describe("closing", () => {
  test("ERR-09: a peer that dies rejects all that waits, and all that is asked later, with one reason", async () => {
    const wire = await openWire();
    const answers = [wire.peer.request("a", {}), wire.peer.request("b", {})];
    const cause = new Error("exit code 1");
    wire.sink.closed(cause);
    const reason = wire.peer.closed.reason;
    expect(reason).toMatchObject({ name: "LocalError", code: "CLOSED", cause });
    answers.push(wire.peer.request("c", {}));
    for (const answer of answers) await expect(answer).rejects.toBe(reason);
    await expect(wire.peer.notify("d", {})).rejects.toBe(reason);
    expect(wire.sent).toHaveLength(2);
    expect(wire.closes.count).toBe(1);
  });

  test("closing is idempotent, closes the channel once and stops everything", async () => {
    let exchange: Exchange | undefined;
    const wire = await openWire({
      request: (_, given) => {
        exchange = given;
        return new Promise(() => {});
      },
    });
    wire.receive(request(1));
    const { signal } = exchange ?? expect.unreachable();
    const answer = wire.peer.request("a", {});
    const closing = [wire.peer.close(), wire.peer.close()];
    expect(wire.peer.closed.aborted).toBe(true);
    expect(signal.reason).toBe(wire.peer.closed.reason);
    expect(exchange?.connection.closed).toBe(wire.peer.closed);
    await expect(answer).rejects.toBe(signal.reason);
    await Promise.all(closing);
    wire.sink.closed(new Error("after it was closed"));
    wire.receive(request(2));
    expect(wire.closes.count).toBe(1);
    expect(wire.sent).toHaveLength(1);
    expect(wire.reports).toEqual([]);
  });

  test("a request with a signal that lives on leaves no listener behind", async () => {
    const wire = await openWire();
    const controller = new AbortController();
    const answer = wire.peer.request("a", {}, { signal: controller.signal });
    await wire.peer.close();
    await expect(answer).rejects.toMatchObject({ code: "CLOSED" });
    controller.abort();
    expect(wire.sent).toHaveLength(1);
  });

  test("a peer that only stopped talking still gets its answers; then the channel is closed", async () => {
    const answer = deferred<object>();
    const wire = await openWire({ request: () => answer.promise.then(() => ({})) });
    wire.receive(request(1));
    wire.sink.closed();
    expect(wire.peer.closed.reason).toMatchObject({ code: "CLOSED" });
    expect(wire.closes.count).toBe(0);
    answer.resolve({});
    await settled();
    expect(wire.sent).toMatchObject([{ id: 1, result: {} }]);
    expect(wire.closes.count).toBe(1);
  });

  test.each<[string, (wire: Awaited<ReturnType<typeof openWire>>) => void]>([
    ["a lost connection", (wire) => wire.sink.closed(new Error("EPIPE"))],
    ["one closed on our side", (wire) => void wire.peer.close()],
  ])("no answer is sent over %s", async (_, close) => {
    const answer = deferred<object>();
    const wire = await openWire({ request: () => answer.promise.then(() => ({})) });
    wire.receive(request(1));
    close(wire);
    answer.resolve({});
    await settled();
    expect(wire.sent).toEqual([]);
    expect(wire.reports).toEqual([]);
  });

  test("BUG-28: a handler may notify after the connection is gone without harm", async () => {
    let exchange: Exchange | undefined;
    const wire = await openWire({
      request: (_, given) => {
        exchange = given;
        return new Promise(() => {});
      },
    });
    wire.receive(request(1));
    wire.sink.closed(new Error("EPIPE"));
    await exchange?.notify("notifications/progress", {});
    void exchange?.connection.notify?.("notifications/message", {});
    await settled();
    expect(wire.sent).toEqual([]);
  });

  test("what is never drained is rejected once the channel is closed", async () => {
    const wire = await openWire({}, { send: () => new Promise(() => {}) });
    const sent = wire.peer.notify("a", {});
    wire.receive(request(1));
    await wire.peer.close();
    await expect(sent).rejects.toBe(wire.peer.closed.reason);
    expect(wire.reports).toEqual([]);
  });

  test("a channel that cannot be closed is reported, and `close` settles", async () => {
    const reports: unknown[] = [];
    const peer = await connect(
      () => ({ send: () => {}, close: () => Promise.reject(new Error("stuck")) }),
      { request: () => ({}) },
      { report: (report) => void reports.push(report) },
    );
    await peer.close();
    expect(reports).toEqual([{ kind: "close_failed", error: new Error("stuck") }]);
  });

  test("a report listener that throws harms nothing", async () => {
    const wire = await openWire(
      {},
      {
        report: () => {
          throw new Error("logger");
        },
      },
    );
    wire.receive("not JSON");
    wire.receive(request(1));
    expect(wire.sent).toHaveLength(2);
  });

  test("BUG-19: nor does one that rejects", async () => {
    // a rejection that nobody handles fails the run
    const report = vi.fn(() => Promise.reject(new Error("logger")));
    const wire = await openWire({}, { report });
    wire.receive("not JSON");
    wire.receive(request(1));
    await settled();
    expect(wire.sent).toHaveLength(2);
    expect(report).toHaveBeenCalledOnce();
  });
});

describe("holding back", () => {
  const frame = JSON.stringify(request(1));

  test("reading waits while an answer is not drained", async () => {
    const drained = deferred<void>();
    const wire = await openWire({}, { send: () => drained.promise });
    const held = wire.sink.frame(frame);
    expect(wire.sink.frame(frame.replace("1", "2"))).toBe(held);
    expect(held).toBeInstanceOf(Promise);
    drained.resolve();
    await held;
    expect(await openWire().then(({ sink }) => sink.frame(frame))).toBeUndefined();
  });

  test("but not while a question of ours is open, whose answer lies behind what is not read", async () => {
    const wire = await openWire({}, { send: () => new Promise(() => {}) });
    const held = wire.sink.frame(frame);
    expect(held).toBeInstanceOf(Promise);
    const answer = wire.peer.request("ask", {});
    await held;
    expect(wire.sink.frame(frame)).toBeUndefined();
    wire.receive({ jsonrpc: "2.0", id: 1, result: {} });
    await answer;
    expect(wire.sink.frame(frame)).toBeInstanceOf(Promise);
  });

  test("unless the other side asks and asks and reads none of the answers", async () => {
    const { promise, resolve } = deferred<void>();
    const wire = await openWire({}, { send: () => promise });
    const answer = wire.peer.request("ask", {});
    let asked = 0;
    let held: unknown;
    while (held === undefined && asked < 20_000) held = wire.sink.frame(JSON.stringify(request(++asked)));
    expect(asked).toBe(10_000);
    resolve();
    await held;
    expect(wire.sink.frame(JSON.stringify(request(++asked)))).toBeUndefined();
    wire.receive({ jsonrpc: "2.0", id: 1, result: {} });
    await answer;
  });

  test("nor once the connection is closed", async () => {
    const wire = await openWire({}, { send: () => new Promise(() => {}) });
    const held = wire.sink.frame(frame);
    await wire.peer.close();
    await held;
  });
});
