import { type Client, type ClientOptions, type ClientReport, connectClient, handshake } from "@parlance/client";
import { batches, createRunning } from "@parlance/jsonrpc";
import { handshakeClient } from "@parlance/protocol-versions";
import { describe, expect, test, vi } from "vitest";
import type { HttpAuth } from "../client/auth.js";
import type { HttpClientReport } from "../client/report.js";
import {
  accepted,
  error,
  event,
  events,
  handshakes,
  initialized,
  json,
  listening,
  openEvents,
  result,
  type Scripted,
  type Seen,
  scripted,
} from "../client/scripted.fixture.js";
import { type HttpOptions, http } from "../dial.js";
import { http as nodeHttp } from "../node/client.js";

const info = { name: "test", version: "1" };
const done = { content: [] };

function connectTo(server: Scripted, options: Partial<ClientOptions> = {}, more: HttpOptions = {}): Promise<Client> {
  const dial = http(server.url, { fetch: server.fetch, standaloneStream: false, ...more });
  return connectClient({ dial, info, eras: [handshake()], ...options });
}

const posts = (server: Scripted): readonly Seen[] => server.seen.filter(({ method }) => method === "POST");

test("HTTP-L-03, HTTP-L-04, HTTP-L-44, HTTP-L-54: every message is a POST with session and version, but initialize has neither", async () => {
  const server = scripted(handshakes(() => undefined));
  const client = await connectTo(server, {}, { standaloneStream: true });
  await client.request("tools/list");
  await client.close();
  const plain = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const named = { "mcp-session-id": "s1", "mcp-protocol-version": "2025-11-25" };
  expect(server.methods).toEqual(["initialize", "notifications/initialized", "GET", "tools/list", "DELETE"]);
  expect(server.seen.map(({ headers }) => headers)).toEqual([
    plain,
    { ...plain, ...named },
    { accept: "text/event-stream", ...named },
    { ...plain, ...named },
    named,
  ]);
});

test("HTTP-L-54: the version is the one that was agreed on", async () => {
  const older = { ...initialized, protocolVersion: "2025-06-18" };
  const server = scripted(
    handshakes((seen) => (seen.message.method === "initialize" ? result(seen, older) : undefined)),
  );
  const client = await connectTo(server);
  await client.request("tools/list");
  expect(server.seen.map(({ headers }) => headers["mcp-protocol-version"])).toEqual([
    undefined,
    "2025-06-18",
    "2025-06-18",
  ]);
});

test("HTTP-L-07, BUG-37, BUG-39: any 2xx takes a notification, whatever its body", async () => {
  const replies = [
    accepted,
    () => new Response(null, { status: 204 }),
    () => new Response("", { headers: { "content-type": "application/json" } }),
    () => new Response("accepted", { headers: { "content-type": "text/plain" } }),
    () => json({}),
    () => openEvents().response,
  ];
  for (const reply of replies) {
    const server = scripted(
      handshakes((seen) => (seen.message.method === "notifications/initialized" ? reply() : undefined)),
    );
    expect((await connectTo(server)).server.era).toBe("handshake");
  }
});

test("HTTP-L-41: an id that no header can carry is not taken", async () => {
  const server = scripted(
    handshakes((seen) =>
      seen.message.method === "initialize" ? result(seen, initialized, { "mcp-session-id": "a b" }) : undefined,
    ),
  );
  await connectTo(server);
  expect(server.seen[1]?.headers["mcp-session-id"]).toBeUndefined();
});

test("HTTP-L-08: a request is answered by JSON or by a stream", async () => {
  const server = scripted(
    handshakes((seen) => {
      const text = event({ jsonrpc: "2.0", id: seen.message.id, result: done });
      return seen.message.method === "tools/call" ? events(text) : undefined;
    }),
  );
  const client = await connectTo(server);
  expect(await client.callTool("x")).toEqual(done);
  expect(await client.request("tools/list")).toEqual({});
});

test("HTTP-L-21: giving up is said by a notification in the session, besides the closed stream", async () => {
  const server = scripted(
    handshakes((seen) => (seen.message.method === "tools/call" ? openEvents().response : undefined)),
  );
  const client = await connectTo(server);
  const giving = new AbortController();
  const calling = expect(client.callTool("x", {}, { signal: giving.signal })).rejects.toThrow("enough");
  await vi.waitFor(() => expect(server.methods).toContain("tools/call"));
  const call = server.seen.at(-1);
  giving.abort(new Error("enough"));
  await calling;
  await vi.waitFor(() => expect(server.methods.at(-1)).toBe("notifications/cancelled"));
  const last = server.seen.at(-1);
  expect(last?.message.params).toMatchObject({ requestId: call?.message.id });
  expect(last?.headers["mcp-session-id"]).toBe("s1");
  expect(call?.signal.aborted).toBe(true);
});

test("LC-16: giving up while it shakes hands cancels nothing", async () => {
  const server = scripted(
    handshakes((seen) => (seen.message.method === "initialize" ? new Promise<never>(() => {}) : undefined)),
  );
  const giving = new AbortController();
  const connecting = expect(connectTo(server, { signal: giving.signal })).rejects.toThrow("enough");
  await vi.waitFor(() => expect(server.methods).toEqual(["initialize"]));
  giving.abort(new Error("enough"));
  await connecting;
  expect(server.methods).toEqual(["initialize"]);
});

describe("what a server says on the stream of a request:", () => {
  const ask = (id: number, method = "ping"): string => event({ jsonrpc: "2.0", id, method });

  test("LC-17, HTTP-L-44: a question is answered by a POST in the session, before the request is done", async () => {
    const open = openEvents();
    const server = scripted(
      handshakes((seen) => {
        if (seen.message.method === "tools/call") {
          open.send(ask(0));
          return open.response;
        }
        if (seen.message.result === undefined) return undefined;
        open.send(event({ jsonrpc: "2.0", id: 2, result: done }));
        return accepted();
      }),
    );
    const client = await connectTo(server);
    expect(await client.callTool("x")).toEqual(done);
    expect(server.seen.at(-1)?.message).toEqual({ jsonrpc: "2.0", id: 0, result: {} });
    expect(server.seen.at(-1)?.headers["mcp-session-id"]).toBe("s1");
  });

  test("a question that is taken back is not answered", async () => {
    const cancel = event({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "q" } });
    const question = event({ jsonrpc: "2.0", id: "q", method: "sampling/createMessage", params: {} });
    let aborted = false;
    const server = scripted((seen) =>
      seen.message.method === "x"
        ? events(question, cancel, event({ jsonrpc: "2.0", id: seen.message.id, result: {} }))
        : result(seen, initialized),
    );
    const dial = http(server.url, { fetch: server.fetch });
    const peer = await dial({
      answering: createRunning,
      request: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            resolve({});
          });
        }),
    });
    await peer.request("initialize", {});
    await peer.request("x", {});
    expect(aborted).toBe(true);
    expect(server.methods).toEqual(["initialize", "x"]);
  });
});

describe("HTTP-L-05: batches of a session of 2025-03-26", () => {
  const agreed = { ...initialized, protocolVersion: "2025-03-26" };
  const log = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "hi" } };
  const answers: Readonly<Record<string, (batch: unknown) => Response>> = {
    "in a JSON body": (batch) => json(batch),
    "in an event": (batch) => events(event(batch)),
  };
  test.each(Object.entries(answers))("are read %s, and nowhere else", async (_, answer) => {
    for (const [version, reads] of [
      [agreed, true],
      [initialized, false],
    ] as const) {
      const server = scripted(
        handshakes((seen) => {
          if (seen.message.method === "initialize") return result(seen, version);
          if (seen.message.method !== "tools/call") return undefined;
          return answer([log, { jsonrpc: "2.0", id: seen.message.id, result: done }]);
        }),
      );
      const heard: unknown[] = [];
      const eras = [handshakeClient({ batches })];
      const client = await connectTo(server, { eras, onNotification: ({ method }) => heard.push(method) });
      if (reads) expect(await client.callTool("x")).toEqual(done);
      else await expect(client.callTool("x")).rejects.toMatchObject({ code: "BAD_REPLY" });
      expect(heard).toEqual(reads ? ["notifications/message"] : []);
    }
  });
});

describe("HTTP-L-47, BUG-30: a session that the server forgot is replaced", () => {
  const gone = { jsonrpc: "2.0", id: null, error: { code: -32001, message: "Session not found" } };

  /** Forgets its first session when told to. */
  function forgetful(): { readonly server: Scripted; forget(): void } {
    let known = "";
    const server = scripted(
      handshakes((seen, session) => {
        if (known === "" && session !== "s0") known = session;
        const claimed = seen.headers["mcp-session-id"];
        if (claimed !== undefined && claimed !== known) return json(gone, 404);
        return undefined;
      }),
    );
    return {
      server,
      forget: () => {
        known = "s2";
      },
    };
  }

  test("without a word to the caller, once for all calls, and the host is told", async () => {
    const { server, forget } = forgetful();
    const reports: ClientReport[] = [];
    const client = await connectTo(server, { report: (what) => reports.push(what) });
    forget();
    await Promise.all([client.callTool("a"), client.callTool("b"), client.request("tools/list")]);
    expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
    expect(server.methods.filter((method) => method === "notifications/initialized")).toHaveLength(2);
    const [, again] = server.seen.filter(({ message }) => message.method === "initialize");
    expect(again?.headers).toEqual({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    });
    expect(reports).toEqual([
      { kind: "session_replaced", version: "2025-11-25", cause: expect.objectContaining({ code: "SESSION_LOST" }) },
    ]);
    await client.callTool("c");
    expect(server.seen.at(-1)?.headers["mcp-session-id"]).toBe("s2");
  });

  test("HTTP-L-48: and what was asked for in the old one is asked for again: level, subscriptions, stream", async () => {
    const { server, forget } = forgetful();
    const client = await connectTo(server, {}, { standaloneStream: true });
    await client.request("logging/setLevel", { level: "error" });
    for (const uri of ["a:1", "a:2"]) await client.request("resources/subscribe", { uri });
    await client.request("resources/unsubscribe", { uri: "a:1" });
    forget();
    await client.callTool("x");
    const second = server.seen.filter(({ headers }) => headers["mcp-session-id"] === "s2");
    const told = second.map(({ method, message }) => [message.method ?? method, message.params]);
    expect(told).toEqual(
      expect.arrayContaining([
        ["GET", undefined],
        ["logging/setLevel", { level: "error" }],
        ["resources/subscribe", { uri: "a:2" }],
      ]),
    );
    expect(told).not.toContainEqual(["resources/subscribe", { uri: "a:1" }]);
    expect(told.at(-1)?.[0]).toBe("tools/call");
  });

  test("at once when its stream finds out, without a call", async () => {
    const stream = openEvents();
    const reports: ClientReport[] = [];
    let gets = 0;
    const server = scripted(
      handshakes((seen, session) => {
        if (seen.method !== "GET") return undefined;
        if (++gets === 1) return events("retry: 0\n\n");
        return seen.headers["mcp-session-id"] === "s1" && session === "s1" ? json(gone, 404) : stream.response;
      }),
    );
    await connectTo(server, { report: (what) => reports.push(what) }, { standaloneStream: true });
    await vi.waitFor(() => expect(reports).toHaveLength(2));
    expect(server.methods.slice(-3)).toEqual(["initialize", "notifications/initialized", "GET"]);
    expect(reports).toMatchObject([
      { kind: "stream_broken" },
      { kind: "session_replaced", version: "2025-11-25", cause: { code: "SESSION_LOST" } },
    ]);
    expect(server.seen.at(-1)?.headers["mcp-session-id"]).toBe("s2");
  });

  test("HTTP-L-48: a server that forgets at once is not asked for ever", async () => {
    const server = scripted(handshakes((seen) => (seen.message.method === "tools/call" ? json(gone, 404) : undefined)));
    const client = await connectTo(server);
    await expect(client.callTool("x")).rejects.toMatchObject({ code: "SESSION_LOST" });
    expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
    expect(server.methods.filter((method) => method === "tools/call")).toHaveLength(2);
  });

  test("a new session that cannot be had fails the calls, and the next one tries again", async () => {
    let down = false;
    let forgot = false;
    const server = scripted(
      handshakes((seen) => {
        if (seen.message.method === "initialize" && down) return new Response(null, { status: 503 });
        return forgot && seen.headers["mcp-session-id"] === "s1" ? json(gone, 404) : undefined;
      }),
    );
    const client = await connectTo(server);
    [down, forgot] = [true, true];
    await expect(client.callTool("x")).rejects.toMatchObject({ code: "UNREACHABLE" });
    await expect(client.callTool("x")).rejects.toMatchObject({ code: "UNREACHABLE" });
    down = false;
    await client.callTool("x");
    expect(server.seen.at(-1)?.headers["mcp-session-id"]).toBe("s2");
    expect(server.methods.filter((method) => method === "tools/call")).toHaveLength(2);
  });

  test("what may have been carried out is not sent again", async () => {
    const { server, forget } = forgetful();
    const client = await connectTo(
      scripted((seen) => {
        const message = seen.message.method;
        if (message !== "tools/call") return server.fetch(seen.url, requestOf(seen));
        forget();
        return events("id: 1\nretry: 0\ndata:\n\n");
      }),
    );
    await expect(client.callTool("x")).rejects.toMatchObject({ code: "SESSION_LOST", details: { delivered: true } });
    expect(await client.request("tools/list")).toEqual({});
  });

  test("HTTP-M-48: a 404 without a session is no lost session", async () => {
    const server = scripted(
      handshakes((seen) => {
        if (seen.message.method === "initialize") return result(seen, initialized);
        return seen.message.method === "tools/call" ? error(seen, -32601, 404) : undefined;
      }),
    );
    const client = await connectTo(server);
    await expect(client.callTool("x")).rejects.toMatchObject({ code: -32601 });
    expect(server.methods.filter((method) => method === "initialize")).toHaveLength(1);
  });
});

function requestOf({ method, headers, text, signal }: Seen): RequestInit {
  return { method, headers, body: text === "" ? null : text, signal };
}

describe("HTTP-L-49, LC-26: closing ends the session by DELETE", () => {
  test.each([200, 202, 204, 404, 405])("and takes HTTP %i for an answer", async (status) => {
    const server = scripted(
      handshakes((seen) => (seen.method === "DELETE" ? new Response(null, { status }) : undefined)),
    );
    const reports: HttpClientReport[] = [];
    const client = await connectTo(server, {}, { report: (what) => reports.push(what) });
    await client.close();
    await client.close();
    expect(server.methods.filter((method) => method === "DELETE")).toHaveLength(1);
    expect(reports).toEqual([]);
  });

  test("not where there is no session", async () => {
    const server = scripted(
      handshakes((seen) => (seen.message.method === "initialize" ? result(seen, initialized) : undefined)),
    );
    await (await connectTo(server)).close();
    expect(server.methods).not.toContain("DELETE");
  });

  test("and does not wait for a server that says nothing", async () => {
    vi.useFakeTimers();
    const server = scripted(
      handshakes((seen) => (seen.method === "DELETE" ? new Promise<never>(() => {}) : undefined)),
    );
    const client = await connectTo(server);
    const closing = client.close();
    await vi.advanceTimersByTimeAsync(500);
    await closing;
    expect(server.seen.at(-1)?.signal.aborted).toBe(true);
    vi.useRealTimers();
  });

  test("and does not wait for credentials that do not come", async () => {
    vi.useFakeTimers();
    const auth: HttpAuth = {
      headers: ({ method }) => (method === "DELETE" ? new Promise<never>(() => {}) : {}),
      onChallenge: async () => "fail",
    };
    const server = scripted(handshakes(() => undefined));
    const reports: HttpClientReport[] = [];
    const client = await connectTo(server, {}, { auth, report: (what) => reports.push(what) });
    const closing = client.close();
    await vi.advanceTimersByTimeAsync(500);
    await closing;
    expect(reports).toMatchObject([{ kind: "session_not_ended", error: { code: "TIMEOUT" } }]);
    expect(server.methods).not.toContain("DELETE");
    vi.useRealTimers();
  });

  test.each([
    ["fetch", http],
    ["node:http", nodeHttp],
  ])("and leaves no connection open, with %s", async (_, dial) => {
    const get = openEvents(": open\n\n");
    const server = await listening(handshakes((seen) => (seen.method === "GET" ? get.response : undefined)));
    const client = await connectClient({ dial: dial(server.url), info, eras: [handshake()] });
    await expect.poll(() => server.methods).toContain("GET");
    const stream = server.seen.find(({ method }) => method === "GET");
    await client.close();
    await expect.poll(() => stream?.signal.aborted).toBe(true);
    expect(server.methods).toContain("DELETE");
  });
});

test("HTTP-L-43: the id of a session is in no error and no report", async () => {
  const secret = "secret-session-id";
  const server = scripted(
    handshakes((seen) => {
      if (seen.message.method === "initialize") return result(seen, initialized, { "mcp-session-id": secret });
      if (seen.message.method === "tools/call") return new Response("fault", { status: 404 });
      return seen.method === "POST" && seen.message.method === undefined ? accepted() : undefined;
    }),
  );
  const told: unknown[] = [];
  const report = (what: unknown): void => void told.push(what);
  const client = await connectTo(server, { report }, { report, standaloneStream: true });
  told.push(await client.callTool("x").catch((failure: unknown) => failure));
  await client.close();
  expect(told.map((what) => JSON.stringify(what) + String(Object(what).message)).join()).not.toContain(secret);
  expect(posts(server).length).toBeGreaterThan(3);
});
