import { type Client, type ClientOptions, connectClient, listTools, restarting, stateless } from "@parlance/client";
import type { Peer } from "@parlance/jsonrpc";
import { describe, expect, test } from "vitest";
import type { HttpClientReport } from "../client/report.js";
import {
  discovered,
  error,
  event,
  events,
  json,
  listening,
  openEvents,
  result,
  type Script,
  type Scripted,
  type Seen,
  scripted,
} from "../client/scripted.fixture.js";
import { http } from "../dial.js";
import { http as nodeHttp } from "../node/client.js";

const info = { name: "test", version: "1" };
const done = { resultType: "complete", content: [] };

function serve(script: (seen: Seen) => Response | Promise<Response> | undefined): Script {
  return (seen) => script(seen) ?? result(seen, seen.message.method === "server/discover" ? discovered : done);
}

function connectTo(server: Scripted, options: Partial<ClientOptions> = {}): Promise<Client> {
  return connectClient({ dial: http(server.url, { fetch: server.fetch }), info, eras: [stateless()], ...options });
}

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

function dialTo(server: Scripted, reports: HttpClientReport[] = []): Promise<Peer> {
  const dial = http(server.url, { fetch: server.fetch, report: (report) => reports.push(report) });
  return dial({ request: () => ({}) });
}

function answered(seen: Seen, value: unknown = done): string {
  return event({ jsonrpc: "2.0", id: seen.message.id, result: value });
}

test("HTTP-M-07, HTTP-M-08, HTTP-M-10, HTTP-M-32, HTTP-M-36: every request is a POST of its own, with the headers that its body says", async () => {
  const server = scripted(serve(() => undefined));
  const client = await connectTo(server);
  await listTools(client).catch(() => []);
  await client.request("prompts/list");
  for (const { method, headers, message } of server.seen) {
    expect(method).toBe("POST");
    expect(headers).toEqual({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": message.method,
    });
    expect(message.params?.["_meta"]).toMatchObject(meta);
  }
});

test("HTTP-M-37, HTTP-M-41: calls, prompts and resources are named in Mcp-Name, to the letter", async () => {
  const server = scripted(serve(() => undefined));
  const client = await connectTo(server);
  await client.callTool("Echo");
  await client.request("prompts/get", { name: "greet" });
  await client.request("resources/read", { uri: "file:///path/to/file%20name.txt" });
  expect(server.seen.slice(1).map(({ headers }) => headers["mcp-name"])).toEqual([
    "Echo",
    "greet",
    "file:///path/to/file%20name.txt",
  ]);
});

test("EXT-09: a method of an extension is named by its caller", async () => {
  const server = scripted(serve(() => undefined));
  const client = await connectTo(server);
  await client.request("echo/say", { text: "é" }, { routedBy: "é" });
  await client.request("echo/say", { text: "a" });
  await client.request("tools/call", { name: "Echo" }, { routedBy: "other" });
  expect(server.seen.slice(1).map(({ headers }) => headers["mcp-name"])).toEqual([
    "=?base64?w6k=?=",
    undefined,
    "Echo",
  ]);
});

test.each([
  ["file:///é", "=?base64?ZmlsZTovLy/DqQ==?="],
  [" x", "=?base64?IHg=?="],
  ["=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="],
  ["a\r\nX: y", "=?base64?YQ0KWDogeQ==?="],
  ["ÿ", "=?base64?w78=?="],
])("HTTP-M-38, BUG-182: the name %j is sent as a header can carry it", async (name, sent) => {
  const server = scripted(serve(() => undefined));
  const client = await connectTo(server);
  await client.callTool(name);
  expect(server.seen.at(-1)?.headers["mcp-name"]).toBe(sent);
  expect(server.seen.at(-1)?.message.params?.["name"]).toBe(name);
});

test("a method that no header can carry is refused before it is sent", async () => {
  const server = scripted(serve(() => undefined));
  const peer = await dialTo(server);
  await expect(peer.request("a\nb", { _meta: meta })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(server.seen).toEqual([]);
});

describe("HTTP-M-16: an answer is taken as JSON or as a stream, whatever the method:", () => {
  const shapes: Readonly<Record<string, (text: string) => Response>> = {
    "application/json": (text) => new Response(text, { headers: { "content-type": "application/json" } }),
    "Application/JSON; charset=utf-8": (text) =>
      new Response(text, { headers: { "content-type": "Application/JSON; charset=utf-8" } }),
    "no type": (text) => new Response(new TextEncoder().encode(text)),
    "text/event-stream": (text) => events(`data: ${text}\n\n`),
    "Text/Event-Stream;charset=utf-8": (text) =>
      new Response(`data: ${text}\n\n`, { headers: { "content-type": "Text/Event-Stream;charset=utf-8" } }),
  };
  test.each(Object.entries(shapes))("%s", async (_, shape) => {
    const server = scripted((seen) => {
      const value = seen.message.method === "server/discover" ? discovered : { ...done, tools: [] };
      return shape(JSON.stringify({ jsonrpc: "2.0", id: seen.message.id, result: value }));
    });
    const client = await connectTo(server);
    expect(client.server.era).toBe("stateless");
    expect(await listTools(client)).toEqual([]);
    expect(await client.callTool("x")).toMatchObject({ content: [] });
  });
});

test("what comes before the answer on its stream is heard, in order", async () => {
  const server = scripted(
    serve((seen) => {
      if (seen.message.method !== "tools/call") return undefined;
      const { progressToken } = Object(seen.message.params?.["_meta"]);
      const step = (progress: number): string =>
        event({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } });
      const log = event({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "hi" } });
      return events(step(1), log, step(2), answered(seen));
    }),
  );
  const heard: unknown[] = [];
  const client = await connectTo(server, { onNotification: ({ method }) => heard.push(method) });
  await client.callTool("x", {}, { onProgress: (step) => heard.push(step) });
  expect(heard).toEqual([1, "notifications/message", 2]);
});

test("HTTP-M-20: a stream that goes on after the answer does not keep it, and is not listened to", async () => {
  let open = openEvents();
  const late = event({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "late" } });
  const server = scripted(
    serve((seen) => {
      if (seen.message.method !== "tools/call") return undefined;
      open = openEvents(answered(seen), late);
      return open.response;
    }),
  );
  const heard: unknown[] = [];
  const client = await connectTo(server, { onNotification: (message) => heard.push(message) });
  expect(await client.callTool("x")).toMatchObject({ content: [] });
  open.send(late);
  await expect.poll(() => open.left, { timeout: 3_000 }).toBe(true);
  expect(heard).toEqual([]);
});

describe("HTTP-M-26, BUG-42: a stream that is over before its answer fails that call at once, and nothing is resumed or sent again:", () => {
  test("it ended", async () => {
    const server = scripted(
      serve((seen) => (seen.message.method === "tools/call" ? events(": hello\n\n") : undefined)),
    );
    const client = await connectTo(server);
    await expect(client.callTool("x")).rejects.toMatchObject({
      code: "BAD_REPLY",
      message: "the answer to tools/call ended before it was whole; it may have been carried out",
    });
    expect(server.methods).toEqual(["server/discover", "tools/call"]);
  });

  test("but a tool that may be repeated is called again where the caller says so, as a new request", async () => {
    let calls = 0;
    const tools = [{ name: "x", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }];
    const server = scripted(
      serve((seen) => {
        if (seen.message.method === "tools/list") return result(seen, { ...done, tools });
        return seen.message.method === "tools/call" && calls++ % 2 === 0 ? events(": hello\n\n") : undefined;
      }),
    );
    const client = await connectTo(server, { restart: restarting() });
    await listTools(client);
    expect(await client.callTool("x", {}, { rerun: true })).toMatchObject({ content: [] });
    const [first, second] = server.seen.filter(({ message }) => message.method === "tools/call");
    expect(second?.message.id).not.toBe(first?.message.id);
    await expect(client.callTool("x")).rejects.toMatchObject({ details: { delivered: true } });
  });

  test("it broke, though its events had ids", async () => {
    const open = openEvents("id: 1\ndata:\n\n");
    const server = scripted(serve((seen) => (seen.message.method === "tools/call" ? open.response : undefined)));
    const client = await connectTo(server);
    const calling = expect(client.callTool("x")).rejects.toMatchObject({ code: "CLOSED" });
    open.fail();
    await calling;
    expect(server.methods).toEqual(["server/discover", "tools/call"]);
    expect(server.seen.every(({ headers }) => headers["last-event-id"] === undefined)).toBe(true);
    expect(await client.callTool("y").catch(() => "again")).toBeDefined();
  });

  test.each([
    ["fetch", http],
    ["node:http", nodeHttp],
  ])("the connection was cut, with %s", async (_, dial) => {
    const open = openEvents(": hello\n\n");
    const server = await listening(serve((seen) => (seen.message.method === "tools/call" ? open.response : undefined)));
    const client = await connectClient({ dial: dial(server.url), info, eras: [stateless()] });
    const calling = expect(client.callTool("x")).rejects.toMatchObject({ code: "CLOSED" });
    await expect.poll(() => server.seen.length).toBe(2);
    open.fail();
    await calling;
    await client.close();
  });
});

test("BUG-43: an event that is no JSON rejects the request that owns the stream", async () => {
  const cut = 'data: {"jsonrpc":"2.0","id":1,"resu\n\n';
  const server = scripted(serve((seen) => (seen.message.method === "tools/call" ? events(cut) : undefined)));
  const client = await connectTo(server);
  await expect(client.callTool("x")).rejects.toMatchObject({ code: "BAD_REPLY" });
});

test("BUG-39: an empty 2xx for a request is an error at once", async () => {
  for (const status of [200, 202, 204]) {
    const server = scripted(
      serve((seen) => (seen.message.method === "tools/call" ? new Response(null, { status }) : undefined)),
    );
    const client = await connectTo(server);
    await expect(client.callTool("x")).rejects.toMatchObject({ code: "BAD_REPLY", details: { status } });
  }
});

describe("HTTP-M-31, HTTP-M-27, CAN-04: giving up closes the stream of the request and says nothing else:", () => {
  test.each([
    ["fetch", http],
    ["node:http", nodeHttp],
  ])("with %s", async (_, dial) => {
    for (const answer of [() => openEvents().response, () => new Promise<Response>(() => {})]) {
      const server = await listening(serve((seen) => (seen.message.method === "tools/call" ? answer() : undefined)));
      const client = await connectClient({ dial: dial(server.url), info, eras: [stateless()] });
      const giving = new AbortController();
      const calling = expect(client.callTool("x", {}, { signal: giving.signal })).rejects.toThrow("enough");
      await expect.poll(() => server.seen.length).toBe(2);
      giving.abort(new Error("enough"));
      await calling;
      await expect.poll(() => server.seen[1]?.signal.aborted).toBe(true);
      expect(server.methods).toEqual(["server/discover", "tools/call"]);
      await client.close();
    }
  });
});

describe("HTTP-M-47: the error in the body of a refusal is the error of the request:", () => {
  test.each([400, 404, 413, 422, 500])("HTTP %i", async (status) => {
    const data = { requiredCapabilities: { roots: {} } };
    const server = scripted(
      serve((seen) => (seen.message.method === "tools/call" ? error(seen, -32021, status, data) : undefined)),
    );
    const client = await connectTo(server);
    await expect(client.callTool("x")).rejects.toMatchObject({ code: -32021, message: "No", data });
  });

  test("without an id", async () => {
    const body = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "No" } };
    const server = scripted(serve((seen) => (seen.message.method === "tools/call" ? json(body, 400) : undefined)));
    await expect((await connectTo(server)).callTool("x")).rejects.toMatchObject({ code: -32700 });
  });

  test("but not one with the id of another, and not what is no error", async () => {
    for (const body of [{ jsonrpc: "2.0", id: "other", error: { code: -1, message: "No" } }, { fault: "no" }]) {
      const server = scripted(serve((seen) => (seen.message.method === "tools/call" ? json(body, 400) : undefined)));
      await expect((await connectTo(server)).callTool("x")).rejects.toMatchObject({
        code: "BAD_REPLY",
        details: { status: 400 },
      });
    }
  });
});

test("HTTP-M-48: a method that is not found fails its request and nothing else", async () => {
  const server = scripted(serve((seen) => (seen.message.method === "x/y" ? error(seen, -32601, 404) : undefined)));
  const client = await connectTo(server);
  await expect(client.request("x/y")).rejects.toMatchObject({ code: -32601 });
  expect(await client.callTool("x")).toMatchObject({ content: [] });
  expect(server.methods).toEqual(["server/discover", "x/y", "tools/call"]);
});

test("HTTP-M-18: a question on a stream is not answered, and is reported", async () => {
  const question = event({ jsonrpc: "2.0", id: 1, method: "ping" });
  const server = scripted((seen) => events(question, answered(seen)));
  const reports: HttpClientReport[] = [];
  const peer = await dialTo(server, reports);
  await peer.request("tools/call", { name: "x", _meta: meta });
  expect(reports).toEqual([{ kind: "unanswered_request", id: 1, method: "ping" }]);
  expect(server.seen).toHaveLength(1);
});

test("a response that is nobody's is reported, and the stream read on", async () => {
  const server = scripted((seen) => events(event({ jsonrpc: "2.0", id: "1", result: {} }), answered(seen)));
  const reports: HttpClientReport[] = [];
  const peer = await dialTo(server, reports);
  await peer.request("tools/call", { name: "x", _meta: meta });
  expect(reports).toMatchObject([{ kind: "stray_response", response: { id: "1" } }]);
});

test("a notification is taken by any 2xx, and a refused one rejects", async () => {
  const statuses = [200, 202, 204, 400];
  const server = scripted(() => new Response(null, { status: statuses.shift() ?? 200 }));
  const peer = await dialTo(server);
  for (const _ of [1, 2, 3]) await peer.notify("notifications/x", { _meta: meta });
  await expect(peer.notify("notifications/x", { _meta: meta })).rejects.toMatchObject({ code: "BAD_REPLY" });
  expect(server.seen[0]?.headers["mcp-method"]).toBe("notifications/x");
});

test("a session id that comes with an answer is not sent back", async () => {
  const server = scripted(
    serve((seen) =>
      result(seen, seen.message.method === "server/discover" ? discovered : done, { "mcp-session-id": "s" }),
    ),
  );
  const client = await connectTo(server);
  await client.callTool("x");
  await client.close();
  expect(server.seen.map(({ headers }) => headers["mcp-session-id"])).toEqual([undefined, undefined]);
});

describe("an answer that is too long is an error that says so", () => {
  test.each([
    ["as JSON", (seen: Seen) => result(seen, { ...done, content: [{ type: "text", text: "x".repeat(2_000) }] })],
    ["as an event", (seen: Seen) => events(answered(seen, { text: "x".repeat(2_000) }))],
  ])("%s", async (_, answer) => {
    const server = scripted((seen) => answer(seen));
    const peer = await http(server.url, { fetch: server.fetch, maxMessageBytes: 1_000 })({ request: () => ({}) });
    await expect(peer.request("tools/call", { name: "x", _meta: meta })).rejects.toMatchObject({
      code: "FRAME_TOO_LONG",
    });
  });
});

test("closing rejects what waits, and lets go of its streams", async () => {
  const server = scripted(serve((seen) => (seen.message.method === "tools/call" ? openEvents().response : undefined)));
  const client = await connectTo(server);
  const calling = expect(client.callTool("x")).rejects.toMatchObject({ code: "CLOSED" });
  await client.close();
  await calling;
  expect(server.seen.at(-1)?.signal.aborted).toBe(true);
});
