import type { Peer, RpcNotification } from "@parlance/jsonrpc";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { HttpClientReport } from "../client/report.js";
import {
  event,
  events,
  handshakes,
  openEvents,
  type Script,
  type Scripted,
  type Seen,
  scripted,
} from "../client/scripted.fixture.js";
import { http } from "../dial.js";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Opened {
  readonly peer: Peer;
  readonly server: Scripted;
  readonly heard: RpcNotification[];
  readonly reports: HttpClientReport[];
  /** When each GET came, counted from the first. */
  readonly gets: number[];
}

async function open(script: (seen: Seen) => Response | Promise<Response> | undefined): Promise<Opened> {
  const gets: number[] = [];
  const start = Date.now();
  const server = scripted(
    handshakes((seen) => {
      if (seen.method === "GET") gets.push(Date.now() - start);
      return script(seen);
    }),
  );
  const reports: HttpClientReport[] = [];
  const heard: RpcNotification[] = [];
  const dial = http(server.url, { fetch: server.fetch, report: (report) => reports.push(report) });
  const peer = await dial({ request: () => ({}), notification: (message) => heard.push(message) });
  await peer.request("initialize", {});
  peer.agreed?.({ version: "2025-11-25" });
  await peer.notify("notifications/initialized", {});
  await vi.advanceTimersByTimeAsync(0);
  return { peer, server, heard, reports, gets };
}

const onGet =
  (answer: (seen: Seen) => Response): ((seen: Seen) => Response | undefined) =>
  (seen) =>
    seen.method === "GET" ? answer(seen) : undefined;

const changed = event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });

describe("the stream of what belongs to no request", () => {
  test("HTTP-L-22, HTTP-L-23: is opened by GET once the session is, and heard", async () => {
    const stream = openEvents();
    const { server, heard } = await open(onGet(() => stream.response));
    expect(server.methods).toEqual(["initialize", "notifications/initialized", "GET"]);
    expect(server.seen[2]?.headers).toEqual({
      accept: "text/event-stream",
      "mcp-session-id": "s1",
      "mcp-protocol-version": "2025-11-25",
    });
    stream.send(changed);
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toMatchObject([{ method: "notifications/tools/list_changed" }]);
  });

  test("HTTP-L-25, BUG-33: a server that has none is not asked again, and nothing is wrong", async () => {
    const { peer, gets, reports } = await open(onGet(() => new Response(null, { status: 405 })));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(gets).toEqual([0]);
    expect(reports).toEqual([]);
    expect(await peer.request("tools/list", {})).toEqual({});
  });

  test.each([400, 404, 403, 406, 501])("HTTP-L-25: HTTP %i is reported, and the session goes on", async (status) => {
    const { peer, gets, reports } = await open(onGet(() => new Response(null, { status })));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(gets).toEqual([0]);
    expect(reports).toMatchObject([{ kind: "stream_refused" }]);
    expect(await peer.request("tools/list", {})).toEqual({});
  });

  test("a server that answers with something else is not asked again", async () => {
    const { gets, reports } = await open(onGet(() => new Response("hello")));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(gets).toEqual([0]);
    expect(reports).toMatchObject([{ kind: "stream_refused", error: { code: "BAD_REPLY" } }]);
  });

  test.each([
    ["by a server that closes at once", () => events(": hello\n\n")],
    ["by one that says at once that it is there", () => events("id: 1\ndata:\n\n")],
    ["by one that wants to be asked again soon", () => events("retry: 1\n\n")],
    ["by one that is down", () => new Response(null, { status: 503 })],
  ])("HTTP-L-28: is opened at most 4 times in 8 s %s", async (_, answer) => {
    const { gets } = await open(onGet(answer));
    await vi.advanceTimersByTimeAsync(8_000);
    expect(gets.length).toBeLessThanOrEqual(4);
    expect(gets.length).toBeGreaterThan(2);
  });

  test("HTTP-L-28: waits twice as long each time, up to half a minute, until something comes", async () => {
    const answers = Array.from({ length: 9 }, () => ":\n\n");
    const { gets } = await open(onGet(() => events(answers.shift() ?? changed)));
    await vi.advanceTimersByTimeAsync(200_000);
    const waits = gets.slice(1).map((at, index) => at - (gets[index] ?? 0));
    expect(waits.slice(0, 10)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000, 1_000]);
  });

  test("waits are spread, so that clients of one server do not return together", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const { gets } = await open(onGet(() => events()));
    await vi.advanceTimersByTimeAsync(3_300);
    expect(gets).toEqual([0, 1_100, 3_300]);
  });

  test("BUG-48, HTTP-L-35: is resumed by GET with the id of the last event, and POSTs carry none", async () => {
    const first = "id: 4\ndata:\n\n";
    const { peer, server } = await open(onGet(() => events(first, `id: 5\n${changed}`)));
    await vi.advanceTimersByTimeAsync(1_000);
    await peer.request("tools/list", {});
    const sent = server.seen.map(({ method, headers }) => [method, headers["last-event-id"]]);
    expect(sent).toEqual([
      ["POST", undefined],
      ["POST", undefined],
      ["GET", undefined],
      ["GET", "5"],
      ["POST", undefined],
    ]);
    expect(server.seen[3]?.headers).toMatchObject({ "mcp-session-id": "s1", "mcp-protocol-version": "2025-11-25" });
  });

  test("HTTP-L-14, BUG-50: waits as long as the server asks", async () => {
    const { gets } = await open(onGet(() => events("retry: 1500\n\n", changed)));
    await vi.advanceTimersByTimeAsync(1_499);
    expect(gets).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1_501);
    expect(gets).toEqual([0, 1_500, 3_000]);
  });

  test("answers questions, and reports answers to nothing", async () => {
    const question = event({ jsonrpc: "2.0", id: 0, method: "ping" });
    const stray = event({ jsonrpc: "2.0", id: 99, result: {} });
    const { server, reports } = await open(onGet(() => openEvents(question, stray, "data: {\n\n").response));
    await vi.advanceTimersByTimeAsync(0);
    expect(server.seen.at(-1)?.message).toEqual({ jsonrpc: "2.0", id: 0, result: {} });
    expect(reports).toMatchObject([{ kind: "stray_response" }, { kind: "malformed" }]);
  });

  test("BUG-122: opening it a thousand times leaves one listener on no signal", async () => {
    const added = vi.spyOn(AbortSignal.prototype, "addEventListener");
    const removed = vi.spyOn(AbortSignal.prototype, "removeEventListener");
    const { peer, gets } = await open(onGet(() => events(changed)));
    const before = added.mock.calls.length - removed.mock.calls.length;
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(gets.length).toBeGreaterThan(1_000);
    // each `fetch` of the fixture has a signal of its own, on which it listens once
    const listens = added.mock.calls.length - removed.mock.calls.length - (gets.length - 1);
    expect(listens).toBeLessThanOrEqual(before);
    await peer.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends with the connection, also while it waits", async () => {
    const { peer, gets } = await open(onGet(() => events()));
    await peer.close();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(gets).toEqual([0]);
  });
});

describe("the stream of a request that ends before its answer", () => {
  const onCall =
    (first: () => Response, then: (seen: Seen) => Response): ((seen: Seen) => Response | undefined) =>
    (seen) => {
      if (seen.message.method === "tools/call") return first();
      return seen.method === "GET" && seen.headers["last-event-id"] !== undefined ? then(seen) : undefined;
    };
  const answer = event({ jsonrpc: "2.0", id: 2, result: { content: [] } }, "9");

  async function call(
    first: () => Response,
    then: (seen: Seen) => Response,
  ): Promise<Opened & { answer: Promise<unknown> }> {
    const opened = await open(onCall(first, then));
    const asked = opened.peer.request("tools/call", { name: "x" });
    // looked at once it has settled
    asked.catch(() => {});
    return { ...opened, answer: asked };
  }

  test("HTTP-L-15, HTTP-L-35, HTTP-L-14: is gone on with by GET, after the wait that the server asks for", async () => {
    const priming = "id: 7\nretry: 500\ndata:\n\n";
    const {
      server,
      gets,
      answer: asked,
    } = await call(
      () => events(priming),
      () => events(answer),
    );
    await vi.advanceTimersByTimeAsync(499);
    expect(gets).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await asked).toEqual({ content: [] });
    expect(gets).toEqual([0, 500]);
    expect(server.seen.at(-1)?.headers).toMatchObject({ "last-event-id": "7", "mcp-session-id": "s1" });
    expect(server.methods.filter((method) => method === "tools/call")).toHaveLength(1);
  });

  test("of a call that is given up while it waits nothing is left", async () => {
    const {
      peer,
      gets,
      answer: asked,
    } = await call(
      () => events("id: 7\nretry: 3600000\ndata:\n\n"),
      () => events(answer),
    );
    await vi.advanceTimersByTimeAsync(0);
    const before = vi.getTimerCount();
    peer.cancel?.(2, "not wanted");
    await expect(asked).rejects.toBe("not wanted");
    await vi.advanceTimersByTimeAsync(10_000);
    expect([before, vi.getTimerCount()]).toEqual([1, 0]);
    expect(gets).toEqual([0]);
    await peer.close();
  });

  test("HTTP-L-20: and so is one that breaks", async () => {
    const stream = openEvents(`id: 7\n${changed}`);
    const { heard, answer: asked } = await call(
      () => stream.response,
      () => events(answer),
    );
    await vi.advanceTimersByTimeAsync(0);
    stream.fail();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await asked).toEqual({ content: [] });
    expect(heard).toHaveLength(1);
  });

  test("HTTP-L-39, BUG-42: fails at once without the id of an event", async () => {
    const { gets, answer: asked } = await call(
      () => events(changed),
      () => events(),
    );
    await expect(asked).rejects.toMatchObject({ code: "BAD_REPLY" });
    expect(gets).toEqual([0]);
  });

  test("fails when the server cannot go on with it", async () => {
    const { answer: asked } = await call(
      () => events("id: 7\ndata:\n\n"),
      () => new Response(null, { status: 405 }),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(asked).rejects.toMatchObject({ code: "BAD_REPLY", details: { status: 405 } });
  });

  test("is given up after eight times without anything new", async () => {
    const { gets, answer: asked } = await call(
      () => events("id: 7\ndata:\n\n"),
      () => events(": nothing\n\n"),
    );
    await vi.advanceTimersByTimeAsync(600_000);
    await expect(asked).rejects.toMatchObject({ code: "BAD_REPLY" });
    expect(gets).toHaveLength(1 + 8);
  });

  test("an answer that is cut short is no answer where the rest can be had", async () => {
    const { answer: asked } = await call(
      () => events("id: 7\ndata:\n\n", 'id: 8\ndata: {"jsonrpc":"2.0","id":2,"res'),
      ({ headers }) => (headers["last-event-id"] === "7" ? events(answer) : new Response(null, { status: 400 })),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await asked).toEqual({ content: [] });
  });

  test("is not gone on with once the caller has given up", async () => {
    const { peer, gets, server } = await open(
      onCall(
        () => events("id: 7\ndata:\n\n"),
        () => events(),
      ),
    );
    const giving = new AbortController();
    const asked = expect(peer.request("tools/call", {}, { signal: giving.signal })).rejects.toThrow("enough");
    await vi.advanceTimersByTimeAsync(500);
    giving.abort(new Error("enough"));
    await asked;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(gets).toEqual([0]);
    expect(server.methods.at(-1)).toBe("notifications/cancelled");
  });
});

test("HTTP-L-30: several streams are open at once, each with what belongs to it", async () => {
  const streams: Script = (seen) =>
    events(event({ jsonrpc: "2.0", id: seen.message.id, result: { name: seen.message.params?.["name"] } }));
  const { peer } = await open((seen) => (seen.message.method === "tools/call" ? streams(seen) : undefined));
  const names = await Promise.all(["a", "b", "c"].map((name) => peer.request("tools/call", { name })));
  expect(names).toEqual([{ name: "a" }, { name: "b" }, { name: "c" }]);
});

test("a server that wants to be asked again at once is asked a hundred times a second at most", async () => {
  let id = 0;
  const { gets } = await open(onGet(() => events(`id: ${++id}\nretry: 0\n${changed}`)));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(gets.slice(0, 3)).toEqual([0, 10, 20]);
});
