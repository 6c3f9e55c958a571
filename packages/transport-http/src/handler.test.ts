import { AccessError, LocalError } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { expect, test } from "vitest";
import { toFetch } from "./fetch.js";
import { createHttpHandler } from "./handler.js";
import { openSession } from "./handshake/session.fixture.js";
import { anonymous, bearer, cors, staticTokens } from "./index.js";
import { modern } from "./stateless/modern.fixture.js";
import { echo, features, raw, serveFeatures, url } from "./wire.fixture.js";

const server = createServer({ info: { name: "test", version: "1" }, features: [] });
const body = "not even JSON";

test("HTTP-M-02, HTTP-L-02, SEC-17: a page's origin that is not allowed is refused before anything runs, on every method", async () => {
  const { handler, reports } = serveFeatures(echo, {
    origins: ["https://app.example"],
    auth: async () => {
      throw new Error("nobody asks");
    },
  });
  const call = (origin: string, method = "POST"): Promise<Response> =>
    toFetch(handler)(new Request(url, { method, headers: { origin }, ...(method === "POST" && { body }) }));
  for (const origin of [
    "http://evil.example",
    "https://app.example.evil.example",
    "https://app.example:444",
    "http://app.example",
    "http://localhost.evil.example",
    "http://127.0.0.1@evil.example",
    "null",
    "",
  ]) {
    for (const method of ["POST", "GET", "DELETE", "OPTIONS", "PUT"]) {
      const response = await call(origin, method);
      expect([origin, method, response.status]).toEqual([origin, method, 403]);
      expect(await response.json()).not.toHaveProperty("id");
    }
  }
  expect(reports.every((report) => report.kind === "http_refused")).toBe(true);
  expect((await call("https://app.example")).status).toBe(500);
  expect((await call("http://localhost:8080")).status).toBe(500);
});

test("HTTP-M-03: a caller that names no origin passes", async () => {
  const { handler } = serveFeatures(echo);
  expect((await modern(handler, "tools/call", { name: "x" })).status).toBe(200);
  const listed = serveFeatures(echo, { origins: ["null"] });
  expect((await modern(listed.handler, "tools/call", { name: "x" }, { headers: { origin: "null" } })).status).toBe(200);
});

test("HTTP-M-04, SEC-17, BUG-127: a server of this machine is called by its names, with or without a port, and no other", async () => {
  const { handler } = serveFeatures(echo);
  for (const host of [
    "localhost",
    "localhost:3000",
    "LOCALHOST:3000",
    "127.0.0.1",
    "127.0.0.1:9",
    "[::1]",
    "[::1]:3000",
  ]) {
    expect((await modern(handler, "tools/call", { name: "x" }, { headers: { host } })).status).toBe(200);
  }
  for (const host of [
    "evil.example",
    "localhost.evil.example",
    "evil.example:3000",
    "localhost@evil.example",
    "127.0.0.1.nip.example",
    "::1",
    "[::2]",
  ]) {
    const response = await modern(handler, "tools/call", { name: "x" }, { headers: { host } });
    expect([host, response.status]).toEqual([host, 403]);
  }
  expect((await modern(handler, "tools/call", { name: "x" }, { at: "http://evil.example/mcp" })).status).toBe(403);
});

test("HTTP-M-05, SSE-06, SEC-12: to let everybody in from everywhere must be asked for by name", () => {
  const open = (hosts: string[], isPublic?: boolean): void =>
    void createHttpHandler(server, { auth: anonymous({ public: isPublic }), hosts });
  expect(() => open(["mcp.example"])).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  expect(() => open(["localhost", "10.0.0.1:80"])).toThrow(/10\.0\.0\.1:80.*public: true/);
  expect(() => open(["mcp.example"], true)).not.toThrow();
  expect(() => open(["127.0.0.9:80", "[::1]"])).not.toThrow();
});

test("HTTP-M-06, SEC-04, BUG-134: every method is asked who it is, and nothing is read before", async () => {
  const { handler } = serveFeatures(echo, { auth: staticTokens({ secret: { id: "a", scopes: [] } }) });
  for (const method of ["POST", "GET", "DELETE"]) {
    const response = await toFetch(handler)(new Request(url, { method, ...(method === "POST" && { body }) }));
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  }
  const headers = { authorization: "Bearer secret" };
  expect((await modern(handler, "tools/call", { name: "x" }, { headers })).status).toBe(200);
  const wrong = await modern(handler, "tools/call", { name: "x" }, { headers: { authorization: "Bearer secre7" } });
  expect([wrong.status, wrong.headers.get("www-authenticate")]).toMatchObject([
    401,
    expect.stringContaining("invalid_token"),
  ]);
});

test("a refusal from a feature gets the guard's challenge, or a plain one", async () => {
  const refusing = features({
    "tools/call": ({ params }) => {
      if (params["name"] === "slow") throw new AccessError("RATE_LIMITED", "later", { retryAfterMs: 2_500 });
      throw new AccessError("INSUFFICIENT_SCOPE", "needs more", { scopes: ["more"] });
    },
  });
  const auth = bearer({ verify: () => ({ id: "a", scopes: ["some"] }), resourceMetadata: "https://x/.well-known" });
  const { handler } = serveFeatures(refusing, { auth });
  const headers = { authorization: "Bearer t" };
  const scope = await modern(handler, "tools/call", { name: "x" }, { headers });
  expect(scope.status).toBe(403);
  expect(scope.headers.get("www-authenticate")).toBe(
    'Bearer error="insufficient_scope", scope="more", resource_metadata="https://x/.well-known"',
  );
  const slow = await modern(handler, "tools/call", { name: "slow" }, { headers });
  expect([slow.status, slow.headers.get("retry-after")]).toEqual([429, "3"]);
  expect((await modern(serveFeatures(refusing).handler, "tools/call", { name: "x" })).status).toBe(403);
});

test("a guard that fails, or challenges with what HTTP cannot carry, is a 500 that says nothing", async () => {
  for (const auth of [
    async () => Promise.reject(new Error("secret")),
    async () => ({ status: 401, headers: { "www-authenticate": "Bearer\r\nset-cookie: x" } }) as const,
    async () => ({ status: 401, headers: { "www-authenticate": "Bearer realm=é" } }) as const,
  ]) {
    const { handler, reports } = serveFeatures(echo, { auth });
    const response = await modern(handler, "tools/call", { name: "x" });
    expect([response.status, await response.text()]).toEqual([500, ""]);
    expect(reports.at(-1)).toMatchObject({ kind: "request_failed", error: expect.any(Error) });
  }
});

test("BUG-36: a body that is not sent as JSON is refused before it is read", async () => {
  const { handler } = serveFeatures(echo);
  const types = [
    "text/plain; x=application/json",
    "application/x-www-form-urlencoded",
    "application/json-seq",
    "",
    undefined,
  ];
  for (const type of types) {
    const response = await raw(handler, body, { headers: { "content-type": type } });
    expect([type, response.status]).toEqual([type, 415]);
  }
  expect((await raw(handler, body, { headers: { "content-type": "Application/JSON ; charset=utf-8" } })).status).toBe(
    400,
  );
});

test("HTTP-M-09, BUG-45: what a caller accepts is read as media ranges", async () => {
  const { handler } = serveFeatures(echo);
  const status = async (accept: string | undefined): Promise<number> =>
    (await modern(handler, "tools/call", { name: "x" }, { headers: { accept } })).status;
  for (const accept of [
    undefined,
    "*/*",
    "application/*, text/*",
    "Text/Event-Stream;q=0.9,application/json",
    "application/json",
    "text/event-stream",
  ]) {
    expect([accept, await status(accept)]).toEqual([accept, 200]);
  }
  for (const accept of ["text/html", "application/json;q=0, text/event-stream;q=0", "*/*;q=0"]) {
    expect([accept, await status(accept)]).toEqual([accept, 406]);
  }
});

test("HTTP-M-58, SEC-18: a body over the limit is refused, said or not, and no more of it is read", async () => {
  const { handler } = serveFeatures(echo, { maxBodyBytes: 100 });
  const headers = { "content-type": "application/json" };
  const declared = new Request(url, { method: "POST", headers: { ...headers, "content-length": "101" }, body: " " });
  expect((await toFetch(handler)(declared)).status).toBe(413);
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(60));
    },
  });
  const streamed = new Request(url, { method: "POST", headers, body: endless, duplex: "half" } as RequestInit);
  expect((await toFetch(handler)(streamed)).status).toBe(413);
  expect(pulled).toBeLessThan(10);
});

test("a body that is no JSON, no UTF-8 or no message is 400 with the code that says which", async () => {
  const { handler } = serveFeatures(echo);
  const post = async (content: BodyInit): Promise<unknown> => {
    const response = await toFetch(handler)(
      new Request(url, { method: "POST", headers: { "content-type": "application/json" }, body: content }),
    );
    expect(response.status).toBe(400);
    return response.json();
  };
  expect(await post("{")).toMatchObject({ error: { code: -32700 } });
  expect(await post("")).toMatchObject({ error: { code: -32700 } });
  expect(await post(new Uint8Array([0x7b, 0xff, 0x7d]))).toMatchObject({ error: { code: -32700 } });
  expect(await post("1")).toMatchObject({ error: { code: -32600 } });
  expect(await post('{"jsonrpc":"1.0","id":7,"method":"x"}')).toMatchObject({ id: 7, error: { code: -32600 } });
  expect(await post('{"jsonrpc":"2.0","id":null,"method":"x"}')).not.toHaveProperty("id");
});

test("SEC-18: a principal has so many requests and streams, and another is not bothered", async () => {
  let finish = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { handler } = serveFeatures(
    features({ "tools/call": async () => waiting.then(() => ({ type: "complete", result: { content: [] } })) }),
    {
      maxRequests: 2,
      maxStreams: 1,
      auth: async ({ headers }) => ({ id: headers.get("authorization") ?? "", scopes: [] }),
    },
  );
  const as = (authorization: string) => ({ headers: { authorization } });
  const call = (who: string): Promise<Response> => modern(handler, "tools/call", { name: "x" }, as(who));
  const session = await openSession(handler, as("a"));
  const stream = await session.get();
  expect((await session.get()).status).toBe(429);
  const running = [call("a"), call("a")];
  const refused = await call("a");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  const other = call("b");
  finish();
  expect((await Promise.all([...running, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await call("a")).status).toBe(200);
  await stream.body?.cancel();
  expect((await session.get()).status).toBe(200);
});

test("SEC-19: reports name no token and no session", async () => {
  const { handler, reports } = serveFeatures(echo, { auth: staticTokens({ t0psecret: { id: "a", scopes: [] } }) });
  const session = await openSession(handler, { headers: { authorization: "Bearer t0psecret" } });
  await session.call("tools/call", {}, { headers: { authorization: "Bearer wr0ng" } });
  await session.call("tools/call", {}, { headers: { "mcp-protocol-version": "x", host: "evil.example" } });
  await session.end();
  await session.call("tools/call");
  expect(reports.length).toBeGreaterThan(0);
  const told = JSON.stringify(reports);
  for (const secret of ["t0psecret", "wr0ng", session.id]) expect(told).not.toContain(secret);
});

test("HTTP-M-57: named pages may call and read; nobody else is told that", async () => {
  const { handler } = serveFeatures(echo, {
    cors: cors({ origins: ["https://app.example"], headers: ["Mcp-Param-Region"] }),
  });
  const preflight = (origin: string): Promise<Response> =>
    toFetch(handler)(
      new Request(url, { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } }),
    );
  const allowed = await preflight("https://app.example");
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
  expect(allowed.headers.get("access-control-allow-methods")).toBe("POST, GET, DELETE");
  for (const header of [
    "authorization",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-session-id",
    "last-event-id",
    "mcp-param-region",
  ]) {
    expect(allowed.headers.get("access-control-allow-headers")).toContain(header);
  }
  expect((await preflight("https://evil.example")).status).toBe(403);
  const call = (origin?: string): Promise<Response> =>
    modern(handler, "tools/call", { name: "x" }, { headers: { origin } });
  const read = await call("https://app.example");
  expect(read.headers.get("access-control-expose-headers")).toMatch(/mcp-session-id.*www-authenticate/);
  expect(read.headers.get("vary")).toBe("Origin");
  expect((await call()).headers.get("access-control-allow-origin")).toBeNull();
  expect((await preflight("http://localhost")).headers.get("access-control-allow-origin")).toBeNull();
  const closed = serveFeatures(echo).handler;
  expect((await toFetch(closed)(new Request(url, { method: "OPTIONS" }))).status).toBe(405);
});

test("a listener that throws, and a server that breaks its word, fail no request", async () => {
  const broken = createHttpHandler(
    { request: () => ({ toJSON: () => 1 }) },
    {
      auth: anonymous(),
      report: () => {
        throw new LocalError("CLOSED", "a bad listener");
      },
    },
  );
  const response = await modern(broken, "x");
  expect([response.status, await response.json()]).toMatchObject([200, { id: 1, error: { code: -32603 } }]);
});

test.each([
  ["no options", undefined],
  ["none", {}],
  ["a token", { auth: "s3cret" }],
])("SEC-04, SEC-19: who may call must be said: with %s it is told how, and no value is repeated", (_, options) => {
  expect(() => createHttpHandler(server, options as never)).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      message: "auth must say who may call: a guard such as bearer({ verify }), or anonymous()",
    }),
  );
});

test("SEC-18: a message that nests deeper than any handler can go is refused, in the name of its id", async () => {
  const { handler } = serveFeatures(echo);
  const nested = (levels: number): string => `${'{"a":['.repeat(levels / 2)}1${"]}".repeat(levels / 2)}`;
  const call = (args: string): string =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":${args}}}`;
  const message = "the message nests more than 512 levels deep";
  const refused = await raw(handler, call(nested(512)));
  expect(refused.status).toBe(400);
  expect(await refused.json()).toEqual({ jsonrpc: "2.0", id: 7, error: { code: -32600, message } });
  expect(await (await raw(handler, call(nested(508)))).json()).not.toMatchObject({ error: { message } });
  const bomb = await raw(handler, "[".repeat(1_000_000) + "]".repeat(1_000_000));
  expect([bomb.status, await bomb.json()]).toMatchObject([400, { error: { message } }]);
});

test("what is no message is answered under its id, as on a pipe, unless it was meant to be something else", async () => {
  const { handler } = serveFeatures(echo);
  const ids = [];
  for (const text of [
    '{"jsonrpc":"2.0","id":7}',
    '{"jsonrpc":"2.0","id":7,"method":1}',
    '{"jsonrpc":"2.0","id":7,"result":1}',
    '{"id":7}',
  ]) {
    const response = await raw(handler, text);
    ids.push([response.status, (await response.json()).id]);
  }
  expect(ids).toEqual([
    [400, 7],
    [400, 7],
    [400, undefined],
    [400, undefined],
  ]);
});
