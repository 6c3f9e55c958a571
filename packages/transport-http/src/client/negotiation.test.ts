import { type AddressInfo, createServer } from "node:net";
import {
  type Client,
  type ClientOptions,
  connectClient,
  handshake,
  memoryVerdicts,
  remembering,
  stateless,
} from "@parlance/client";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { http } from "../dial.js";
import { http as nodeHttp } from "../node/client.js";
import {
  discovered,
  error,
  event,
  events,
  handshakes,
  initialized,
  json,
  listening,
  result,
  type Script,
  type Scripted,
  type Seen,
  scripted,
} from "./scripted.fixture.js";

const info = { name: "test", version: "1" };

afterEach(() => void vi.useRealTimers());

function connectTo(server: Scripted, options: Partial<ClientOptions> = {}): Promise<Client> {
  return connectClient({ dial: http(server.url, { fetch: server.fetch }), info, ...options });
}

/** A server of the handshake that answers the probe in its own way. */
function probed(answer: (seen: Seen) => Response | Promise<Response>): Script {
  return handshakes((seen) => (seen.message.method === "server/discover" ? answer(seen) : undefined));
}

const statelessServer: Script = (seen) =>
  seen.message.method === "server/discover" ? result(seen, discovered) : result(seen, { resultType: "complete" });

const shaken = ["server/discover", "initialize", "notifications/initialized", "GET"];

test("VER-C-16: a dual client begins with a request of the stateless era", async () => {
  const server = scripted(statelessServer);
  const client = await connectTo(server);
  expect(client.server).toMatchObject({ era: "stateless", version: "2026-07-28" });
  expect(server.methods).toEqual(["server/discover"]);
  expect(server.seen[0]?.headers).toEqual({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "server/discover",
  });
});

describe("VER-C-18, VER-C-20, VER-C-23, BUG-163: whatever is no answer to the probe leads to the handshake at once:", () => {
  const idless = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "No" } };
  const replies: Readonly<Record<string, (seen: Seen) => Response>> = {
    "405": () => new Response("Method Not Allowed", { status: 405 }),
    "400 with an error without id": () => json(idless, 400),
    "400 that is empty": () => new Response(null, { status: 400 }),
    "400 of HTML": () =>
      new Response("<h1>Bad Request</h1>", { status: 400, headers: { "content-type": "text/html" } }),
    "404 with method not found": (seen) => error(seen, -32601, 404),
    "404 that is empty": () => new Response(null, { status: 404 }),
    "200 with method not found": (seen) => error(seen, -32601, 200),
    "200 with an error without id": () => json(idless),
    "200 that is empty": () => new Response(null, { status: 200 }),
    "200 of JSON that is empty": () => new Response("", { headers: { "content-type": "application/json" } }),
    "200 of text": () => new Response("ok", { headers: { "content-type": "text/plain" } }),
    "200 without a content type": () => new Response(new TextEncoder().encode("ok")),
    "200 that is not UTF-8": () => new Response(Uint8Array.of(0x7b, 0xff, 0x7d)),
    "200 with a result of nothing": (seen) => result(seen, {}),
    "200 with a stream of nothing": () => events(": nothing\n\n"),
    "200 with the id of another": (seen) => json({ jsonrpc: "2.0", id: `${seen.message.id}`, result: discovered }),
    "202": () => new Response(null, { status: 202 }),
    "204": () => new Response(null, { status: 204 }),
    "400 with -32022 that lists nothing": (seen) => error(seen, -32022, 400),
    "500 with an error": (seen) => error(seen, -32603, 500),
    "500 that is empty": () => new Response(null, { status: 500 }),
    "501": () => new Response("Not Implemented", { status: 501 }),
    "406": () => new Response(null, { status: 406 }),
    "415": () => new Response(null, { status: 415 }),
    "429": () => new Response(null, { status: 429, headers: { "retry-after": "1" } }),
  };
  test.each(Object.entries(replies))("%s", async (_, reply) => {
    const server = scripted(probed(reply));
    const client = await connectTo(server);
    expect(client.server).toMatchObject({ era: "handshake", version: "2025-11-25" });
    await vi.waitFor(() => expect(server.methods).toEqual(shaken));
  });
});

test("VER-C-20: a server of the handshake that answers everything, but not what was asked, ends as one", async () => {
  const server = scripted(probed((seen) => result(seen, { tools: [] })));
  expect((await connectTo(server)).server.era).toBe("handshake");
});

test("VER-C-21, VER-C-05: the handshake after a probe shows nothing of the stateless era", async () => {
  const server = scripted(handshakes(() => undefined));
  await connectTo(server);
  const { headers, message } = server.seen[1] as Seen;
  expect(headers).toEqual({ "content-type": "application/json", accept: "application/json, text/event-stream" });
  expect(message.params).toEqual({ protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info });
});

test("VER-C-17: a recognized error in a 400 is the server's own, and no handshake follows", async () => {
  const server = scripted(probed((seen) => error(seen, -32020, 400)));
  await expect(connectTo(server)).rejects.toMatchObject({ code: -32020 });
  expect(server.methods).toEqual(["server/discover"]);
});

test("VER-C-03: a 400 that lists a version in common is followed by one request in it", async () => {
  const refuse = (seen: Seen): Response => error(seen, -32022, 400, { supported: ["2026-07-28"], requested: "x" });
  let asked = 0;
  const server = scripted((seen) => (asked++ === 0 ? refuse(seen) : statelessServer(seen)));
  const versions = ["2027-01-01" as never, "2026-07-28"] as const;
  const client = await connectTo(server, { eras: [stateless({ versions }), handshake()] });
  expect(client.server).toMatchObject({ era: "stateless", version: "2026-07-28" });
  expect(server.seen.map((seen) => seen.headers["mcp-protocol-version"])).toEqual(["2027-01-01", "2026-07-28"]);
});

describe("VER-C-19, BUG-170: what says nothing about the era is an error, and no handshake is tried:", () => {
  test.each([401, 403])("%i", async (status) => {
    const challenge = { "www-authenticate": 'Bearer resource_metadata="https://x.test/"' };
    const server = scripted(probed((seen) => error(seen, -32600, status)));
    const named = scripted(probed(() => new Response("Who?", { status, headers: challenge })));
    await expect(connectTo(server)).rejects.toMatchObject({ code: "UNAUTHORIZED", details: { status } });
    await expect(connectTo(named)).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: `server/discover was answered with HTTP ${status}: Who?`,
      details: { status, challenge: challenge["www-authenticate"] },
    });
    expect(server.methods).toEqual(["server/discover"]);
  });

  test.each([
    ['{"error":"The token is not valid here"}', '{"error":"The token is not valid here"}'],
    [" No\r\n  way ", "No way"],
    ["x".repeat(1_000), "x".repeat(200)],
  ])("401, with the words of %s", async (body, words) => {
    const server = scripted(probed(() => new Response(body, { status: 401 })));
    await expect(connectTo(server)).rejects.toThrow(`server/discover was answered with HTTP 401: ${words}`);
  });

  test.each([502, 503, 504])("%i", async (status) => {
    const server = scripted(probed(() => new Response("<p>Bad gateway</p>", { status })));
    await expect(connectTo(server)).rejects.toMatchObject({ code: "UNREACHABLE", details: { status } });
    expect(server.methods).toEqual(["server/discover"]);
  });

  test("a network that fails", async () => {
    const server = scripted(() => {
      throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND server.test") });
    });
    const message = "no answer from http://server.test: getaddrinfo ENOTFOUND server.test";
    await expect(connectTo(server)).rejects.toMatchObject({ code: "UNREACHABLE", message });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ["fetch", http],
    ["node:http", nodeHttp],
  ])("a port where nobody listens, with %s", async (_, dial) => {
    const { url } = await listening(() => new Response());
    const closed = url.replace(/:\d+/, ":1");
    await expect(connectClient({ dial: dial(closed), info })).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  test("a connection that breaks before the answer, which says that the request had gone out", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    for (const dial of [http, nodeHttp]) {
      await expect(connectClient({ dial: dial(url), info })).rejects.toMatchObject({
        code: "UNREACHABLE",
        message: expect.stringContaining("; the request may have been carried out"),
        details: { delivered: true },
      });
      await expect(connectClient({ dial: dial("http://127.0.0.1:1"), info })).rejects.toMatchObject({ details: {} });
    }
  });

  test("silence", async () => {
    vi.useFakeTimers();
    const server = scripted(() => new Promise<never>(() => {}));
    const connecting = expect(connectTo(server, { probeTimeoutMs: 5_000 })).rejects.toMatchObject({ code: "TIMEOUT" });
    await vi.advanceTimersByTimeAsync(5_000);
    await connecting;
    expect(server.methods).toEqual(["server/discover"]);
    expect(server.seen[0]?.signal.aborted).toBe(true);
  });
});

test("VER-C-19: after a login the probe is made again, in the stateless era", async () => {
  const server = scripted((seen) =>
    seen.headers["authorization"] === "Bearer good" ? statelessServer(seen) : new Response(null, { status: 401 }),
  );
  let token = "old";
  const auth = {
    headers: () => ({ authorization: `Bearer ${token}` }),
    onChallenge: async () => {
      token = "good";
      return "retry" as const;
    },
  };
  const client = await connectClient({ dial: http(server.url, { fetch: server.fetch, auth }), info });
  expect(client.server.era).toBe("stateless");
  expect(server.methods).toEqual(["server/discover", "server/discover"]);
});

describe("a server that fails over the probe", () => {
  test.each([
    ["500", () => new Response("first", { status: 500 }), { code: "BAD_REPLY", details: { status: 500 } }],
    ["500 with an error", (seen: Seen) => error(seen, -32603, 500), { code: -32603 }],
    ["501", () => new Response("first", { status: 501 }), { code: "BAD_REPLY", details: { status: 501 } }],
  ])("and over the handshake has the first failure told: %s", async (_, reply, expected) => {
    for (const second of [400, 500, 503]) {
      const server = scripted((seen) =>
        seen.message.method === "initialize" ? new Response("second", { status: second }) : reply(seen),
      );
      await expect(connectTo(server)).rejects.toMatchObject(expected);
      expect(server.methods).toEqual(["server/discover", "initialize"]);
    }
  });
});

test("BUG-171: the session of a server that refused the probe is not taken", async () => {
  const stray = { "mcp-session-id": "stray" };
  const server = scripted(probed(() => new Response(null, { status: 400, headers: stray })));
  const client = await connectTo(server);
  await client.request("tools/list");
  await client.close();
  expect(server.seen.map((seen) => seen.headers["mcp-session-id"])).toEqual([
    undefined,
    undefined,
    ...Array.from({ length: 4 }, () => "s1"),
  ]);
});

test("BUG-165: initialize names no version in its headers", async () => {
  const server = scripted(
    handshakes((seen) =>
      seen.message.method === "initialize" && seen.headers["mcp-protocol-version"] !== undefined
        ? new Response(null, { status: 400 })
        : undefined,
    ),
  );
  expect((await connectTo(server)).server.era).toBe("handshake");
});

describe("BUG-167, LC-07: a version that nobody knows ends the connection:", () => {
  test.each(["1999-01-01", undefined])("%s", async (protocolVersion) => {
    const answer = { ...initialized, protocolVersion };
    const server = scripted(
      handshakes((seen) =>
        seen.message.method === "initialize" ? result(seen, answer, { "mcp-session-id": "s9" }) : undefined,
      ),
    );
    await expect(connectTo(server)).rejects.toMatchObject({ code: "VERSION_MISMATCH" });
    expect(server.methods).toEqual(["server/discover", "initialize", "DELETE"]);
    expect(server.seen.at(-1)?.headers["mcp-session-id"]).toBe("s9");
  });
});

test("VER-C-07: a server that was asked is remembered for a day, by where it is", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const verdicts = memoryVerdicts();
  const server = scripted(statelessServer);
  for (const _ of [1, 2]) await connectTo(server, { verdicts: remembering(verdicts) });
  expect(server.methods).toEqual(["server/discover"]);
  vi.setSystemTime(Date.now() + 86_400_000);
  await connectTo(server, { verdicts: remembering(verdicts) });
  expect(server.methods).toEqual(["server/discover", "server/discover"]);
});

test("VER-C-08: a server that went back to the handshake is found out by the first call", async () => {
  const verdicts = memoryVerdicts();
  const server = scripted(statelessServer);
  await connectTo(server, { verdicts: remembering(verdicts) });
  const older = scripted(
    handshakes((seen) =>
      seen.message.method === "tools/call" && seen.headers["mcp-session-id"] === undefined
        ? json({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "Server not initialized" } }, 400)
        : undefined,
    ),
  );
  const client = await connectTo(older, { verdicts: remembering(verdicts) });
  await client.request("tools/call", { name: "x" });
  expect(client.server.era).toBe("handshake");
  expect(older.methods.filter((method) => method === "tools/call")).toHaveLength(2);
});

test("BUG-43: an answer to initialize that is cut short is an error at once", async () => {
  const cut = 'data: {"jsonrpc":"2.0","id":2,"resu';
  const server = scripted(handshakes((seen) => (seen.message.method === "initialize" ? events(cut) : undefined)));
  await expect(connectTo(server)).rejects.toMatchObject({ code: "VERSION_MISMATCH" });
});

test("BUG-44: an answer to initialize whose event is not closed is taken when the stream ends", async () => {
  const open = (seen: Seen): string => event({ jsonrpc: "2.0", id: seen.message.id, result: initialized }).trimEnd();
  const server = scripted(
    handshakes((seen) => (seen.message.method === "initialize" ? events(open(seen)) : undefined)),
  );
  expect((await connectTo(server)).server.era).toBe("handshake");
});
