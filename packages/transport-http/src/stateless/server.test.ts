import { RpcError } from "@parlance/jsonrpc";
import { changesOf, handshake, stateless } from "@parlance/server";
import { expect, test } from "vitest";
import { toFetch } from "../fetch.js";
import { echo, eventsOf, features, raw, serveFeatures } from "../wire.fixture.js";
import { envelope, modern, modernVersion } from "./modern.fixture.js";
import { statelessBinding } from "./server.js";

const progress = features({
  "tools/call": async (call) => {
    await call.progress(1, 2);
    return { type: "complete", result: { content: [] } };
  },
});
const withToken = { name: "x", _meta: { ...envelope, progressToken: "t" } };

test("HTTP-M-01, HTTP-M-15: one URL takes POSTs of every method and answers with one JSON object", async () => {
  const { handler } = serveFeatures(echo);
  for (const [method, params] of [["server/discover", {}] as const, ["tools/call", { name: "x" }] as const]) {
    const response = await modern(handler, method, params);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: 1, result: { resultType: "complete" } });
  }
});

test("HTTP-M-30, HTTP-M-19: the answer is JSON, or a stream from the first notification to the response and no further", async () => {
  const { handler } = serveFeatures(progress);
  expect((await modern(handler, "tools/call", { name: "x" })).headers.get("content-type")).toBe("application/json");
  const response = await modern(handler, "tools/call", withToken);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = await eventsOf(response).rest();
  expect(events.map((event) => JSON.parse(event.data ?? ""))).toMatchObject([
    { method: "notifications/progress", params: { progressToken: "t", progress: 1 } },
    { id: 1, result: {} },
  ]);
});

test("HTTP-M-21: nothing in between holds a stream back", async () => {
  const { handler } = serveFeatures(progress);
  const { headers } = await modern(handler, "tools/call", withToken);
  expect(headers.get("x-accel-buffering")).toBe("no");
  expect(headers.get("cache-control")).toContain("no-cache");
});

test("HTTP-M-25: events have no id", async () => {
  const { handler } = serveFeatures(progress);
  const events = await eventsOf(await modern(handler, "tools/call", withToken)).rest();
  expect(events.every((event) => event.id === undefined)).toBe(true);
});

test("HTTP-M-52: Last-Event-ID is ignored", async () => {
  const { handler } = serveFeatures(echo);
  const response = await modern(handler, "tools/call", { name: "x" }, { headers: { "last-event-id": "1-1" } });
  expect(await response.json()).toMatchObject({ id: 1, result: {} });
});

test("HTTP-M-11, HTTP-M-14: an accepted notification gives 202 and no body; headers that are there must match", async () => {
  const { handler } = serveFeatures(echo);
  const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { _meta: envelope } });
  const taken = await raw(handler, body);
  expect([taken.status, await taken.text(), taken.headers.get("content-type")]).toEqual([202, "", null]);
  const matching = { "mcp-method": "notifications/x", "mcp-protocol-version": modernVersion };
  expect((await raw(handler, body, { headers: matching })).status).toBe(202);
  const other = await raw(handler, body, { headers: { "mcp-method": "notifications/y" } });
  expect([other.status, await other.json()]).toMatchObject([400, { error: { code: -32020 } }]);
  expect((await raw(handler, body, { headers: { "mcp-protocol-version": "2025-11-25" } })).status).toBe(400);
});

test("HTTP-M-12: a notification that cannot be taken gives a 4xx, and nothing in it answers an id", async () => {
  const { handler } = serveFeatures(echo);
  const response = await raw(handler, '{"jsonrpc":"2.0","method":"notifications/x","params":[]}');
  expect(response.status).toBe(400);
  expect(await response.json()).not.toHaveProperty("id");
});

test("HTTP-M-13, JR-07: a cancel that is POSTed cancels nothing, since clients share no ids", async () => {
  let finish = (): void => undefined;
  const { handler } = serveFeatures(
    features({
      "tools/call": ({ signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          finish = () => resolve({ type: "complete", result: { content: [] } });
        }),
    }),
  );
  const call = modern(handler, "tools/call", { name: "x" });
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, _meta: envelope } };
  expect((await raw(handler, JSON.stringify(cancel))).status).toBe(202);
  finish();
  expect(await (await call).json()).toHaveProperty("result");
});

test("HTTP-M-18: a feature of this era cannot ask on a stream", async () => {
  const { handler } = serveFeatures(
    features({
      "tools/call": () => ({
        type: "input_required",
        inputRequests: { name: { method: "elicitation/create", params: { message: "?", requestedSchema: {} } } },
      }),
    }),
  );
  const capable = { ...envelope, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
  const response = await modern(handler, "tools/call", { name: "x", _meta: capable });
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toMatchObject({ result: { resultType: "input_required" } });
});

test("HTTP-M-17: what changes elsewhere is not told on a request's stream", async () => {
  const { handler, server } = serveFeatures(
    features({
      "tools/call": async (call) => {
        await call.progress(1);
        changesOf(server).tools();
        return { type: "complete", result: { content: [] } };
      },
    }),
  );
  const events = await eventsOf(await modern(handler, "tools/call", withToken)).rest();
  expect(events.map((event) => JSON.parse(event.data ?? "").method)).toEqual(["notifications/progress", undefined]);
});

test("HTTP-M-33, HTTP-M-41, HTTP-M-42, BUG-174: headers must say what the body says; blanks around values do not count, case does", async () => {
  const { handler } = serveFeatures(echo);
  const call = (headers: Record<string, string | undefined>): Promise<Response> =>
    modern(handler, "tools/call", { name: "x" }, { headers });
  expect((await call({ "MCP-METHOD": " tools/call \t", "mcp-method": undefined })).status).toBe(200);
  for (const headers of [
    { "mcp-method": "TOOLS/CALL" },
    { "mcp-name": "y" },
    { "mcp-protocol-version": "2025-11-25" },
    { "mcp-protocol-version": "v999" },
  ]) {
    const response = await call(headers);
    expect([response.status, await response.json()]).toMatchObject([400, { id: 1, error: { code: -32020 } }]);
  }
});

test("HTTP-M-34, HTTP-M-35, HTTP-M-40, BUG-175: a header that is missing is refused, also by a server that takes older clients", async () => {
  const { handler } = serveFeatures(echo);
  for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const response = await modern(handler, "tools/call", { name: "x" }, { headers: { [name]: undefined } });
    expect([response.status, await response.json()]).toMatchObject([400, { id: 1, error: { code: -32020 } }]);
  }
});

test("HTTP-M-39: a name is decoded before it is compared", async () => {
  const { handler } = serveFeatures(echo);
  const encoded = `=?base64?${Buffer.from("é").toString("base64")}?=`;
  const call = (header: string): Promise<Response> =>
    modern(handler, "tools/call", { name: "é" }, { headers: { "mcp-name": header } });
  expect((await call(encoded)).status).toBe(200);
  for (const bad of ["=?base64?w6k?=", "=?base64?w!!=?=", "=?base64?/w==?=", "=?base64?w6l=?=", "%C3%A9", "é"]) {
    const response = await call(bad);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32020 } }]);
  }
});

test("HTTP-M-43: a header that came twice is a mismatch", async () => {
  const { handler } = serveFeatures(echo);
  const response = await modern(
    handler,
    "tools/call",
    { name: "x" },
    { headers: { "mcp-method": "tools/call, tools/call" } },
  );
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32020 } }]);
});

test("HTTP-M-44: a name on a method that has none is ignored", async () => {
  const { handler } = serveFeatures(echo);
  expect((await modern(handler, "server/discover", {}, { headers: { "mcp-name": "x" } })).status).toBe(200);
});

test("HTTP-M-45, HTTP-M-46: a method that is not there is 404 with the error and the id, also one of a capability not announced", async () => {
  const { handler } = serveFeatures(echo);
  for (const method of ["no/such", "prompts/list", "ping", "initialize"]) {
    const response = await modern(handler, method, {}, { id: "a" });
    expect([response.status, await response.json()]).toMatchObject([404, { id: "a", error: { code: -32601 } }]);
  }
});

test("HTTP-M-49: what needs another status is decided before a stream begins; later it is said in the stream", async () => {
  const refused = {
    type: "refused",
    reason: "needs_capability",
    message: "no",
    data: { requiredCapabilities: {} },
  } as const;
  const { handler } = serveFeatures(
    features({
      "tools/call": async (call) => {
        if (call.params["name"] === "late") await call.progress(1);
        return refused;
      },
    }),
  );
  const early = await modern(handler, "tools/call", { name: "early" });
  expect([early.status, await early.json()]).toMatchObject([400, { error: { code: -32021 } }]);
  const late = await modern(handler, "tools/call", { ...withToken, name: "late" });
  expect(late.status).toBe(200);
  expect((await eventsOf(late).rest()).map((event) => JSON.parse(event.data ?? ""))).toMatchObject([
    { method: "notifications/progress" },
    { error: { code: -32021 } },
  ]);
});

test("HTTP-M-55: no parameter is read from a header", async () => {
  const { handler } = serveFeatures(echo);
  const headers = { "mcp-param-name": "other", "mcp-name": "x" };
  const response = await modern(handler, "tools/call", { name: "x" }, { headers });
  expect(await response.json()).toMatchObject({ result: { content: [{ text: "x" }] } });
});

test("HTTP-M-50: a server of this era alone answers GET and DELETE with 405", async () => {
  const { handler } = serveFeatures(echo, {}, { eras: [stateless()] });
  for (const method of ["GET", "DELETE", "PUT"]) {
    const response = await toFetch(handler)(new Request("http://localhost/mcp", { method }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  }
});

test("HTTP-M-51: a session id is ignored and none is given; a server of both eras routes by the body", async () => {
  for (const eras of [[stateless()], [stateless(), handshake()]]) {
    const { handler } = serveFeatures(echo, {}, { eras });
    const response = await modern(handler, "tools/call", { name: "x" }, { headers: { "mcp-session-id": "s" } });
    expect([response.status, response.headers.get("mcp-session-id")]).toEqual([200, null]);
  }
});

test("VER-S-16: the body decides the era, and a header that says otherwise is an error", async () => {
  const { handler } = serveFeatures(echo);
  const legacy = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } });
  const response = await raw(handler, legacy, { headers: { "mcp-protocol-version": modernVersion } });
  expect([response.status, await response.json()]).toMatchObject([400, { id: 1, error: { code: -32602 } }]);
  const modernBody = await modern(
    handler,
    "tools/call",
    { name: "x" },
    { headers: { "mcp-protocol-version": "2025-11-25" } },
  );
  expect([modernBody.status, await modernBody.json()]).toMatchObject([400, { error: { code: -32020 } }]);
});

test("a batch and a response are refused", async () => {
  const { handler } = serveFeatures(echo, {}, { eras: [stateless()] });
  for (const body of ["[]", '{"jsonrpc":"2.0","id":1,"result":{}}']) {
    const response = await raw(handler, body);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32600 } }]);
  }
});

test("an answer is in-band where the protocol gives no status, and an unexpected failure says nothing", async () => {
  const { handler } = serveFeatures(
    features({
      "tools/call": ({ params }) => {
        throw params["name"] === "own" ? new RpcError(7, "mine") : new Error("secret");
      },
    }),
  );
  const own = await modern(handler, "tools/call", { name: "own" });
  expect([own.status, await own.json()]).toMatchObject([200, { error: { code: 7, message: "mine" } }]);
  const masked = await modern(handler, "tools/call", { name: "x" });
  expect(masked.status).toBe(200);
  expect(await masked.text()).not.toContain("secret");
});

test("an answer may be asked for as a stream, whole in one piece", async () => {
  const { handler } = serveFeatures(echo, { bindings: [statelessBinding({ answers: "stream" })] });
  const response = await modern(handler, "tools/call", { name: "x" });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await response.text()).toMatch(/^event: message\ndata: \{.*\}\n\n$/);
  const json = await modern(handler, "tools/call", { name: "x" }, { headers: { accept: "application/json" } });
  expect(json.headers.get("content-type")).toBe("application/json");
});

test("BUG-181: what a client can do is what this request says, and not an earlier one", async () => {
  const question = { method: "elicitation/create", params: { message: "?", requestedSchema: {} } } as const;
  const { handler } = serveFeatures(
    features({ "tools/call": () => ({ type: "input_required", inputRequests: { q: question } }) }),
  );
  const capable = { ...envelope, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
  expect((await modern(handler, "tools/call", { name: "x", _meta: capable })).status).toBe(200);
  const response = await modern(handler, "tools/call", { name: "x" });
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32021 } }]);
});

test("a refusal is JSON with its status, also to who would take a stream and where all answers are streams", async () => {
  const { handler } = serveFeatures(echo, { bindings: [statelessBinding({ answers: "stream" })] });
  for (const accept of ["application/json, text/event-stream", "text/event-stream"]) {
    const response = await modern(handler, "no/such", {}, { headers: { accept } });
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json"]);
    expect(await response.json()).toMatchObject({ error: { code: -32601 } });
  }
});
