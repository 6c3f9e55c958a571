import type { JsonObject } from "@parlance/jsonrpc";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type Client,
  type ClientOptions,
  type ClientReport,
  connectClient,
  handshake,
  type ListenEvent,
  listen,
  responseCache,
  restarting,
  stateless,
} from "./index.js";
import {
  type Answers,
  createScriptedServer,
  fail,
  handshakeAnswers,
  initialized,
  ok,
  type Run,
  type ScriptedServer,
  statelessAnswers,
  type Wire,
} from "./scripted-server.fixture.js";
import { listTools } from "./tools.js";

const acknowledged = "notifications/subscriptions/acknowledged";
const toolsChanged = "notifications/tools/list_changed";
const subscriptionId = "io.modelcontextprotocol/subscriptionId";
const tools = { toolsListChanged: true };

/** Says something on the stream of a listen request. */
function say(run: Run, { id }: Wire, method: string, params: JsonObject = {}): void {
  run.send({ method, params: { ...params, _meta: { [subscriptionId]: id } } });
}

const acknowledging: Answers = {
  ...statelessAnswers,
  "subscriptions/listen": (message, run) => {
    say(run, message, acknowledged, { notifications: message.params?.["notifications"] });
    return "silence";
  },
};

interface Seen {
  readonly server: ScriptedServer;
  readonly client: Client;
  readonly events: ListenEvent[];
  readonly reports: ClientReport[];
  on(event: ListenEvent): void;
  heard(count: number): Promise<void>;
  reported(kind: ClientReport["kind"]): Promise<void>;
}

const open: Client[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((client) => client.close()));
});

async function connected(answers: Answers, options: Partial<ClientOptions> = {}): Promise<Seen> {
  const server = createScriptedServer(answers);
  const events: ListenEvent[] = [];
  const reports: ClientReport[] = [];
  let check = (): void => {};
  const client = await connectClient({
    dial: server.dial,
    info: { name: "c", version: "1" },
    eras: [stateless()],
    report: (report) => {
      reports.push(report);
      check();
    },
    ...options,
  });
  open.push(client);
  const met = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const last = check;
      check = () => {
        last();
        if (condition()) resolve();
      };
      check();
    });
  return {
    server,
    client,
    events,
    reports,
    on: (event) => {
      events.push(event);
      check();
    },
    heard: (count) => met(() => events.length >= count),
    reported: (kind) => met(() => reports.some((report) => report.kind === kind)),
  };
}

const listens = ({ received }: Run): readonly Wire[] =>
  received.filter(({ method }) => method === "subscriptions/listen");
const fast = { delayMs: 1, maxDelayMs: 4 };

describe("a stateless server", () => {
  test("SUB-01: it is asked with the filter as it is, and tells what it honors", async () => {
    const { server, client, on } = await connected(acknowledging);
    const { honored, close } = await listen(client, { ...tools, resourceSubscriptions: ["file:///a"] }, on);
    expect(listens(server.last)[0]?.params?.["notifications"]).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ["file:///a"],
    });
    expect(honored).toEqual({ toolsListChanged: true, resourceSubscriptions: ["file:///a"] });
    await close();
    expect(server.last.received.at(-1)?.method).toBe("notifications/cancelled");
  });

  test("SUB-10: what is not honored is reported", async () => {
    const { client, on, reports } = await connected({
      ...statelessAnswers,
      "subscriptions/listen": (message, run) => {
        say(run, message, acknowledged, { notifications: { resourceSubscriptions: ["file:///a"] } });
        return "silence";
      },
    });
    const filter = { ...tools, resourceSubscriptions: ["file:///a", "file:///b"] };
    const { honored } = await listen(client, filter, on);
    expect(honored).toEqual({ resourceSubscriptions: ["file:///a"] });
    const missing = { toolsListChanged: true, resourceSubscriptions: ["file:///b"] };
    expect(reports).toContainEqual({ kind: "listen_not_honored", missing });
  });

  test("STD-13, SUB-08, SUB-11: of two at once each hears its own", async () => {
    const { server, client, events, on, heard } = await connected(acknowledging);
    const others: ListenEvent[] = [];
    await listen(client, tools, on);
    await listen(client, { promptsListChanged: true }, (event) => others.push(event));
    const [first, second] = listens(server.last);
    if (first === undefined || second === undefined) throw new Error("it was not asked twice");
    server.last.send({ method: toolsChanged, params: { _meta: { [subscriptionId]: String(first.id) } } });
    say(server.last, second, "notifications/prompts/list_changed");
    say(server.last, first, toolsChanged);
    await heard(1);
    expect([events, others]).toEqual([[{ type: "tools" }], [{ type: "prompts" }]]);
  });

  test("SUB-09, BUG-179: what names another subscription, or comes before the acknowledgement, is dropped and reported", async () => {
    const { server, client, events, on, heard, reports } = await connected({
      ...statelessAnswers,
      "subscriptions/listen": (message, run) => {
        say(run, message, toolsChanged);
        say(run, message, acknowledged, { notifications: tools });
        return "silence";
      },
    });
    await listen(client, tools, on);
    server.last.send({ method: toolsChanged, params: { _meta: { [subscriptionId]: 999 } } });
    server.last.send({ method: toolsChanged });
    const [asked] = listens(server.last);
    say(server.last, asked ?? {}, "notifications/resources/updated", { uri: "file:///a" });
    await heard(1);
    expect(events).toEqual([{ type: "resource", uri: "file:///a" }]);
    const strays = reports.filter(({ kind }) => kind === "stray_change");
    expect(strays).toEqual([
      { kind: "stray_change", subscriptionId: asked?.id },
      { kind: "stray_change", subscriptionId: 999 },
    ]);
  });

  test("CAN-18: the end of what it did not ask for is ignored and reported, once by all that listen", async () => {
    const { server, client, events, on, heard, reports } = await connected(acknowledging);
    await listen(client, tools, on);
    const { close } = await listen(client, { promptsListChanged: true }, on);
    const [first, second] = listens(server.last);
    server.last.send({ method: "notifications/cancelled", params: { requestId: 999 } });
    await close();
    server.last.send({ method: "notifications/cancelled", params: { requestId: second?.id } });
    say(server.last, first ?? {}, toolsChanged);
    await heard(1);
    expect(events).toEqual([{ type: "tools" }]);
    expect(reports).toEqual([{ kind: "stray_change", subscriptionId: 999 }]);
  });

  test("RSC-14: a change of what is inside a resource is handed on", async () => {
    const { server, client, events, on, heard } = await connected(acknowledging);
    await listen(client, { resourceSubscriptions: ["file:///d"] }, on);
    say(server.last, listens(server.last)[0] ?? {}, "notifications/resources/updated", { uri: "file:///d/a" });
    await heard(1);
    expect(events).toEqual([{ type: "resource", uri: "file:///d/a" }]);
  });

  test("an extension's notification is handed on as it is", async () => {
    const { server, client, events, on, heard } = await connected(acknowledging);
    await listen(client, { taskIds: ["t"] }, on);
    say(server.last, listens(server.last)[0] ?? {}, "notifications/tasks", { taskId: "t" });
    await heard(1);
    expect(events).toMatchObject([{ type: "extension", method: "notifications/tasks", params: { taskId: "t" } }]);
  });

  test("CAN-16: it has no timeout once it is acknowledged, which has one", async () => {
    vi.useFakeTimers();
    const { server, client, on } = await connected(acknowledging);
    await listen(client, tools, on);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(server.last.received.map(({ method }) => method)).toEqual(["server/discover", "subscriptions/listen"]);
    const silent = await connected({ ...statelessAnswers, "subscriptions/listen": "silence" });
    const refused = expect(listen(silent.client, tools, on, { timeoutMs: 50 })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
    await vi.advanceTimersByTimeAsync(60);
    await refused;
  });

  test("SUB-23: it can be given up before it is acknowledged", async () => {
    const giving = new AbortController();
    const { server, client, on } = await connected({
      ...statelessAnswers,
      "subscriptions/listen": () => {
        giving.abort(new Error("enough"));
        return "silence";
      },
    });
    await expect(listen(client, tools, on, { signal: giving.signal })).rejects.toThrow("enough");
    expect(server.last.received.at(-1)?.method).toBe("notifications/cancelled");
  });

  test("SUB-19: what the server refuses is thrown", async () => {
    const { client, on } = await connected({ ...statelessAnswers, "subscriptions/listen": fail(-32602, "No filter") });
    await expect(listen(client, tools, on)).rejects.toMatchObject({ code: -32602, message: "No filter" });
  });

  test.each([
    ["its result", ["result"]],
    ["cancelled", ["cancelled"]],
    ["its result and cancelled", ["result", "cancelled"]],
    ["cancelled and its result", ["cancelled", "result"]],
  ])("SUB-13: %s is an end in good order, after which it is listened anew", async (_, ends) => {
    const { server, client, events, on, heard, reports } = await connected(acknowledging);
    await listen(client, tools, on, fast);
    const id = listens(server.last)[0]?.id;
    for (const end of ends) {
      if (end === "result")
        server.last.send({ id, result: { resultType: "complete", _meta: { [subscriptionId]: id } } });
      else server.last.send({ method: "notifications/cancelled", params: { requestId: id } });
    }
    await heard(1);
    expect(events).toEqual([{ type: "resync" }]);
    expect(listens(server.last).map((one) => one.id)).toEqual([id, Number(id) + 1]);
    expect(server.last.received.some(({ method }) => method === "notifications/cancelled")).toBe(false);
    expect(reports).toMatchObject([{ kind: "listen_lost", cause: undefined }]);
  });

  test("SUB-14, SUB-15, SUB-16, STD-21: a server that ended and was started again is listened to anew, by a new request", async () => {
    const { server, client, events, on, heard } = await connected(acknowledging, { restart: restarting() });
    await listen(client, tools, on, fast);
    server.last.exit();
    await heard(1);
    expect(events).toEqual([{ type: "resync" }]);
    expect(server.runs).toHaveLength(2);
    say(server.last, listens(server.last)[0] ?? {}, toolsChanged);
    await heard(2);
    expect(events.at(-1)).toEqual({ type: "tools" });
  });

  test("SUB-15: what a cache kept is asked for again once it is listened anew", async () => {
    const cached = { tools: [], resultType: "complete", ttlMs: 600_000, cacheScope: "private" };
    const answers = { ...acknowledging, "tools/list": ok(cached) };
    const { server, client, on, heard } = await connected(answers, { cache: responseCache() });
    const lists = (): number => server.methods.filter((method) => method === "tools/list").length;
    await listen(client, tools, on, fast);
    await listTools(client);
    await listTools(client);
    expect(lists()).toBe(1);
    server.last.send({ id: listens(server.last)[0]?.id, result: { resultType: "complete" } });
    await heard(1);
    await listTools(client);
    expect(lists()).toBe(2);
  });

  test("a server that nobody starts again ends it, with the reason", async () => {
    const { server, client, on, reports } = await connected(acknowledging);
    const { ended } = await listen(client, tools, on, fast);
    server.last.exit();
    await expect(ended).rejects.toMatchObject({ code: "CLOSED" });
    expect(reports.at(-1)).toMatchObject({ kind: "listen_ended" });
  });

  test("a server that refuses to go on ends it", async () => {
    let asked = 0;
    const { server, client, on } = await connected({
      ...acknowledging,
      "subscriptions/listen": (message, run) => {
        if (asked++ > 0) return fail(-32601, "no more");
        say(run, message, acknowledged, { notifications: tools });
        return "silence";
      },
    });
    const { ended } = await listen(client, tools, on, fast);
    server.last.send({ id: listens(server.last)[0]?.id, result: { resultType: "complete" } });
    await expect(ended).rejects.toMatchObject({ code: -32601 });
  });

  test("BUG-122: the wait grows while nothing comes of it, and one signal bears it all", async () => {
    let asked = 0;
    const giving = new AbortController();
    const added = vi.spyOn(giving.signal, "addEventListener");
    const { client, on, heard, reports } = await connected({
      ...acknowledging,
      "subscriptions/listen": (message, run) => {
        asked++;
        if (asked > 1 && asked < 6) return fail(-32603, "not yet");
        say(run, message, acknowledged, { notifications: tools });
        return asked === 1 ? ok({ resultType: "complete" }) : "silence";
      },
    });
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { close } = await listen(client, tools, on, { ...fast, signal: giving.signal });
    await heard(1);
    const waits = reports.flatMap((report) => (report.kind === "listen_lost" ? [report.retryMs] : []));
    expect(waits).toEqual([1, 2, 4, 4, 4]);
    expect(added).toHaveBeenCalledTimes(1);
    await close();
    vi.restoreAllMocks();
  });

  test("BUG-122: the wait grows too while the server acknowledges and ends at once", async () => {
    const { client, on, heard, reports } = await connected({
      ...acknowledging,
      "subscriptions/listen": (message, run) => {
        say(run, message, acknowledged, { notifications: tools });
        return ok({ resultType: "complete" });
      },
    });
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { close } = await listen(client, tools, on, { ...fast, maxDelayMs: 8 });
    await heard(5);
    const waits = reports.flatMap((report) => (report.kind === "listen_lost" ? [report.retryMs] : []));
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 8]);
    await close();
    vi.restoreAllMocks();
  });

  test("closing the client ends it without a word", async () => {
    const { client, on, reports } = await connected(acknowledging, { restart: restarting() });
    const { ended } = await listen(client, tools, on, fast);
    await client.close();
    await ended;
    expect(reports).toEqual([]);
  });

  test("what the listener throws is reported, and it goes on", async () => {
    const { server, client, reports, reported } = await connected(acknowledging);
    await listen(client, tools, async () => {
      throw new Error("mine");
    });
    say(server.last, listens(server.last)[0] ?? {}, toolsChanged);
    await reported("callback_failed");
    expect(reports).toMatchObject([{ kind: "callback_failed", error: { message: "mine" } }]);
  });
});

describe("a server that shakes hands", () => {
  const answers: Answers = {
    ...handshakeAnswers,
    initialize: ok({
      ...initialized,
      capabilities: { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } },
    }),
    "resources/subscribe": ({ params }) => (params?.["uri"] === "file:///no" ? fail(-32002) : ok({})),
    "resources/unsubscribe": ok({}),
  };
  const eras = { eras: [handshake()] };

  test("RSC-11, RSC-14: it tells of lists unasked, and of resources when it is asked", async () => {
    const { server, client, events, on, heard } = await connected(answers, eras);
    const filter = { ...tools, promptsListChanged: true, resourceSubscriptions: ["file:///a", "file:///no"] };
    const { honored, close } = await listen(client, filter, on);
    expect(honored).toEqual({ toolsListChanged: true, resourceSubscriptions: ["file:///a"] });
    server.last.send({ method: toolsChanged });
    server.last.send({ method: "notifications/prompts/list_changed" });
    server.last.send({ method: "notifications/resources/updated", params: { uri: "file:///a/b" } });
    await heard(2);
    expect(events).toEqual([{ type: "tools" }, { type: "resource", uri: "file:///a/b" }]);
    await close();
    expect(server.last.received.at(-1)).toMatchObject({
      method: "resources/unsubscribe",
      params: { uri: "file:///a" },
    });
  });

  test("two who listen to one resource subscribe once, and the last unsubscribes", async () => {
    const { server, client, on } = await connected(answers, eras);
    const filter = { resourceSubscriptions: ["file:///a"] };
    const [one, other] = [await listen(client, filter, on), await listen(client, filter, on)];
    await one.close();
    const asked = (): unknown[] => server.methods.filter((method) => method?.startsWith("resources/"));
    expect(asked()).toEqual(["resources/subscribe"]);
    await other.close();
    expect(asked()).toEqual(["resources/subscribe", "resources/unsubscribe"]);
  });

  test("one that was started again is subscribed to again", async () => {
    const { server, client, events, on, heard } = await connected(answers, { ...eras, restart: restarting() });
    await listen(client, { resourceSubscriptions: ["file:///a"] }, on, fast);
    server.last.exit();
    await heard(1);
    expect(events).toEqual([{ type: "resync" }]);
    expect(server.methods).toContain("resources/subscribe");
    server.last.send({ method: "notifications/resources/updated", params: { uri: "file:///a" } });
    await heard(2);
  });
});
