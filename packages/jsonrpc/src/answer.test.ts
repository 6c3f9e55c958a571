import { expect, test } from "vitest";
import { answer } from "./answer.js";
import type { Exchange, Handler } from "./handler.js";
import { request } from "./wire.fixture.js";

const handler: Handler = { request: ({ params = {} }) => ({ echo: params }) };
const ask = (frame: unknown): Promise<string | undefined> => answer(handler, JSON.stringify(frame));

test("a request gets the text of its answer", async () => {
  expect(await ask(request("7", "a", { x: 1 }))).toBe('{"jsonrpc":"2.0","id":"7","result":{"echo":{"x":1}}}');
});

test.each([
  ["a notification", { jsonrpc: "2.0", method: "a" }],
  ["a malformed notification", { jsonrpc: "2.0", method: "a", params: 1 }],
  ["a response", { jsonrpc: "2.0", id: 1, result: {} }],
  ["a malformed response", { jsonrpc: "2.0", id: 1, result: 1 }],
])("JR-16: %s gets none", async (_, frame) => {
  expect(await ask(frame)).toBeUndefined();
});

test("JR-13, JR-25: what is no message gets an error, without an id that could not be read", async () => {
  expect(await answer(handler, "{")).toBe(
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"the frame is not valid JSON"}}',
  );
  expect(JSON.parse((await ask([request(1)])) ?? "")).toMatchObject({ error: { code: -32600 } });
  expect(JSON.parse((await ask({ ...request(1), jsonrpc: 2 })) ?? "")).toMatchObject({
    id: 1,
    error: { code: -32600 },
  });
});

test("what is thrown is answered", async () => {
  const text = await answer({ request: async () => Promise.reject(new Error("secret")) }, JSON.stringify(request(1)));
  expect(text).toBe('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}');
});

test("the exchange is what is given, and otherwise a caller that stays and hears nothing", async () => {
  const seen: Exchange[] = [];
  const watching: Handler = {
    request: (_, exchange) => {
      seen.push(exchange);
      return {};
    },
  };
  const principal = { id: "me", scopes: [] };
  await answer(watching, JSON.stringify(request(1)), { principal });
  const [exchange] = seen;
  expect(exchange).toMatchObject({ principal, request: undefined, afterReply: undefined });
  expect(exchange?.signal.aborted).toBe(false);
  expect(exchange?.connection).toBe(exchange?.connection);
  await exchange?.notify("a", {});
});

test("a notification is heard with the connection that was given", async () => {
  const heard: unknown[] = [];
  const connection = { closed: new AbortController().signal };
  const listening: Handler = { ...handler, notification: (...what) => void heard.push(what) };
  const message = { jsonrpc: "2.0", method: "a" };
  await answer(listening, JSON.stringify(message), { connection });
  await answer(listening, JSON.stringify(message));
  expect(heard).toMatchObject([
    [message, connection],
    [message, { closed: { aborted: false } }],
  ]);
});
