import { type Client, type ClientOptions, connectClient, handshake, restarting, stateless } from "@parlance/client";
import { LocalError } from "@parlance/jsonrpc";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  accepted,
  error,
  event,
  events,
  initialized,
  listening,
  type OpenEvents,
  openEvents,
  type Script,
  type Scripted,
  type Seen,
  scripted,
} from "../client/scripted.fixture.js";
import { type HttpOptions, http } from "../dial.js";
import { http as nodeHttp } from "../node/client.js";
import { sseTransport } from "./client.js";

const info = { name: "test", version: "1" };

afterEach(() => void vi.useRealTimers());

/** A server of 2024-11-05 whose messages go to `address`. */
function older(address = "/messages?session=1"): { readonly script: Script; readonly streams: OpenEvents[] } {
  const streams: OpenEvents[] = [];
  const script: Script = (seen) => {
    if (seen.method === "GET") {
      const stream = openEvents(`event: endpoint\ndata: ${address}\n\n`);
      streams.push(stream);
      return stream.response;
    }
    if (!seen.url.includes("/messages")) return new Response("Cannot POST", { status: 404 });
    const { id, method } = seen.message;
    const value = method === "initialize" ? { ...initialized, protocolVersion: "2024-11-05" } : { content: [] };
    if (id !== undefined && method !== undefined) {
      streams.at(-1)?.send(`event: message\n${event({ jsonrpc: "2.0", id, result: value })}`);
    }
    return new Response("Accepted", { status: 202 });
  };
  return { script, streams };
}

function connectTo(server: Scripted, more: HttpOptions = {}, options: Partial<ClientOptions> = {}): Promise<Client> {
  const dial = http(server.url, { fetch: server.fetch, fallback: sseTransport(), ...more });
  return connectClient({ eras: [stateless(), handshake()], dial, info, ...options });
}

test("VER-C-22, SSE-03, SSE-15: what refuses every POST is asked by GET, and messages go where it says", async () => {
  const server = scripted(older().script);
  const client = await connectTo(server);
  expect(client.server).toMatchObject({ era: "handshake", version: "2024-11-05" });
  expect(await client.callTool("x")).toEqual({ content: [] });
  const sent = server.seen.map(({ method, url, message }) => [method, new URL(url).pathname, message.method]);
  expect(sent).toEqual([
    ["POST", "/mcp", "server/discover"],
    ["POST", "/mcp", "initialize"],
    ["GET", "/mcp", undefined],
    ["POST", "/messages", "initialize"],
    ["POST", "/messages", "notifications/initialized"],
    ["POST", "/messages", "tools/call"],
  ]);
});

describe("VER-C-22, HTTP-L-57: the older way is taken after 400, 404, 405, 406 and 415 without an error in the body, and only then:", () => {
  const first = (refuse: (seen: Seen) => Response): Script => {
    const { script } = older();
    return (seen) => (seen.method === "POST" && seen.url.endsWith("/mcp") ? refuse(seen) : script(seen));
  };
  test.each([400, 404, 405, 406, 415])("HTTP %i", async (status) => {
    const server = scripted(first(() => new Response(null, { status })));
    expect((await connectTo(server)).server.version).toBe("2024-11-05");
  });

  test.each([401, 403, 409, 410, 429, 500, 503])("not HTTP %i", async (status) => {
    const server = scripted(first(() => new Response(null, { status })));
    await expect(connectTo(server)).rejects.toBeInstanceOf(LocalError);
    expect(server.methods).not.toContain("GET");
  });

  test.each([400, 404])("VER-C-23: not HTTP %i with an error of JSON-RPC", async (status) => {
    const server = scripted(first((seen) => error(seen, -32601, status)));
    await expect(connectTo(server)).rejects.toMatchObject({ code: "VERSION_MISMATCH" });
    expect(server.methods).toEqual(["server/discover", "initialize"]);
  });
});

test("VER-C-22, SSE-13: without the option nothing is tried, and the error names what was", async () => {
  const server = scripted(older().script);
  const failure: unknown = await connectTo(server, { fallback: undefined }).catch((reason: unknown) => reason);
  expect(failure).toMatchObject({ code: "VERSION_MISMATCH" });
  expect(String(failure)).toContain("initialize was answered with HTTP 404: Cannot POST");
  expect(server.methods).toEqual(["server/discover", "initialize"]);
});

test("an older way that is not there either is named in the error", async () => {
  const server = scripted(() => new Response(null, { status: 405 }));
  const failure: unknown = await connectTo(server).catch((reason: unknown) => reason);
  expect(String(failure)).toContain(
    "the older HTTP+SSE was tried too: the stream of HTTP+SSE was answered with HTTP 405",
  );
});

describe("SSE-07: the address may be", () => {
  test.each(["/messages?session=1", "messages", "http://server.test/messages"])("%s", async (address) => {
    const server = scripted(older(address).script);
    await connectTo(server);
    const { url } = server.seen.at(-1) as Seen;
    expect(url).toBe(new URL(address, "http://server.test/mcp").href);
  });

  test.each(["https://evil.test/messages", "//evil.test/messages", "http://server.test:81/messages", "javascript:x"])(
    "not %s, which is elsewhere",
    async (address) => {
      const server = scripted(older(address).script);
      const failure: unknown = await connectTo(server).catch((reason: unknown) => reason);
      expect(String(failure)).toContain("only http://server.test will do");
      expect(server.seen.filter(({ url }) => !url.startsWith("http://server.test/mcp"))).toEqual([]);
    },
  );
});

describe("SSE-08: nothing is sent before the address is known", () => {
  test("and a server that does not say it in time is an error", async () => {
    vi.useFakeTimers();
    const silent = openEvents(": hello\n\n");
    const server = scripted((seen) => (seen.method === "GET" ? silent.response : new Response(null, { status: 404 })));
    const connecting = expect(connectTo(server)).rejects.toThrow(/did not say within 10000 ms where messages go/);
    await vi.advanceTimersByTimeAsync(10_000);
    await connecting;
    expect(server.methods).toEqual(["server/discover", "initialize", "GET"]);
    expect(silent.left).toBe(true);
  });

  test("and a stream that ends before it is an error at once", async () => {
    const server = scripted((seen) =>
      seen.method === "GET" ? events("data: x\n\n") : new Response(null, { status: 404 }),
    );
    await expect(connectTo(server)).rejects.toThrow(/does not say where messages go/);
  });
});

test("SSE-10: with its stream the session ends: what waits rejects, and the next call of a client that restarts begins anew", async () => {
  const { script, streams } = older();
  const server = scripted((seen) => (seen.message.method === "tools/slow" ? accepted() : script(seen)));
  const client = await connectTo(server, {}, { restart: restarting() });
  const waiting = expect(client.request("tools/slow")).rejects.toMatchObject({ code: "CLOSED" });
  await vi.waitFor(() => expect(server.methods).toContain("tools/slow"));
  streams.at(-1)?.end();
  await waiting;
  expect(await client.callTool("x")).toEqual({ content: [] });
  expect(streams).toHaveLength(2);
});

test("SSE-11: a newer version may be agreed on, and is then named with every message", async () => {
  const { script, streams } = older();
  const newer = { ...initialized, protocolVersion: "2025-06-18" };
  const server = scripted((seen) => {
    if (seen.message.method !== "initialize" || !seen.url.includes("/messages")) return script(seen);
    streams.at(-1)?.send(event({ jsonrpc: "2.0", id: seen.message.id, result: newer }));
    return accepted();
  });
  const client = await connectTo(server);
  await client.callTool("x");
  expect(client.server.version).toBe("2025-06-18");
  expect(server.seen.at(-1)?.headers["mcp-protocol-version"]).toBe("2025-06-18");
});

test("SSE-12: credentials go with the stream and with every message", async () => {
  const server = scripted(older().script);
  const auth = { headers: () => ({ authorization: "Bearer t" }), onChallenge: async () => "fail" as const };
  const client = await connectTo(server, { auth });
  await client.callTool("x");
  expect(server.seen.map(({ headers }) => headers["authorization"])).toEqual(server.seen.map(() => "Bearer t"));
});

test("giving up is said by a notification, since nothing closes", async () => {
  const { script } = older();
  const server = scripted((seen) => (seen.message.method === "tools/call" ? accepted() : script(seen)));
  const client = await connectTo(server);
  const giving = new AbortController();
  const calling = expect(client.callTool("x", {}, { signal: giving.signal })).rejects.toThrow("enough");
  await vi.waitFor(() => expect(server.methods).toContain("tools/call"));
  giving.abort(new Error("enough"));
  await calling;
  await vi.waitFor(() => expect(server.methods.at(-1)).toBe("notifications/cancelled"));
});

test.each([
  ["fetch", http],
  ["node:http", nodeHttp],
])("LC-26: closing ends the stream, with %s", async (_, dial) => {
  const { script } = older();
  const server = await listening(script);
  const client = await connectClient({
    eras: [stateless(), handshake()],
    dial: dial(server.url, { fallback: sseTransport() }),
    info,
  });
  expect(await client.callTool("x")).toEqual({ content: [] });
  const stream = server.seen.find(({ method }) => method === "GET");
  await client.close();
  await expect.poll(() => stream?.signal.aborted).toBe(true);
});
