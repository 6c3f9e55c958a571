import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { connectClient, handshake, type ListenEvent, listen as listenTo, stateless } from "@parlance/client";
import { type ChangeBus, createChangeBus, createResources, createServer, type Server } from "@parlance/server";
import {
  anonymous,
  createHttpHandler,
  type HttpHandler,
  type HttpHandlerOptions,
  statelessBinding,
} from "@parlance/transport-http";
import { http, type Listening, listen } from "@parlance/transport-http/node";
import { afterEach, expect, test } from "vitest";

const versionKey = "io.modelcontextprotocol/protocolVersion";
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

interface Serving extends Omit<Listening, "server"> {
  readonly server: Server;
  touch(): void;
}

async function serving(options: Partial<HttpHandlerOptions> = {}, port = 0): Promise<Serving> {
  const resources = createResources([{ uri: "note://one", name: "one", read: () => "1" }], { watch: true });
  const server = createServer({ info: { name: "s", version: "1" }, features: [resources] });
  const listening = await listen(createHttpHandler(server, { auth: anonymous(), drainMs: 0, ...options }), { port });
  opened.push(listening.close);
  return { ...listening, server, touch: () => resources.updated("note://one") };
}

function post(url: string, notifications: unknown, accept?: string): Promise<Response> {
  const caller = new AbortController();
  opened.push(async () => caller.abort());
  return fetch(url, { method: "POST", headers: headers(accept), body: request(notifications), signal: caller.signal });
}

function headers(accept = "application/json, text/event-stream"): Record<string, string> {
  return {
    "content-type": "application/json",
    accept,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "subscriptions/listen",
  };
}

function request(notifications: unknown): string {
  const _meta = { [versionKey]: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
  return JSON.stringify({
    jsonrpc: "2.0",
    id: "s1",
    method: "subscriptions/listen",
    params: { notifications, _meta },
  });
}

/** Reads a stream until it holds a text, or ends. */
async function read(response: Response, until?: string): Promise<string> {
  let text = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    text += value ?? "";
    if (done || (until !== undefined && text.includes(until))) return text;
  }
}

const all = { resourcesListChanged: true, resourceSubscriptions: ["note://one"] };

test("SUB-18, HTTP-M-22: the answer is a stream of events that says something now and then", async () => {
  const { url } = await serving({ bindings: [statelessBinding({ keepAliveMs: 5 })] });
  const response = await post(url, all);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(await read(response, "\n:\n")).toContain("subscriptions/acknowledged");
});

test("SUB-18: whoever takes no stream is refused", async () => {
  const { url } = await serving();
  expect((await post(url, all, "application/json")).status).toBe(406);
});

test("SUB-19: what is wrong with a filter is said as JSON", async () => {
  const { url } = await serving();
  const response = await post(url, undefined);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(await response.json()).toMatchObject({ id: "s1", error: { code: -32602 } });
});

test("SUB-20: a caller with too many streams is refused before one begins", async () => {
  const { url } = await serving({ maxStreams: 2 });
  const first = [await post(url, all), await post(url, {})];
  expect(first.map(({ status }) => status)).toEqual([200, 200]);
  expect((await post(url, all)).status).toBe(429);
});

test.each(["server", "handler"])(
  "SUB-12, CAN-19: when the %s closes the stream ends with the result, and no cancelled",
  async (what) => {
    const { url, server, close } = await serving();
    const response = await post(url, all);
    const text = read(response);
    await (what === "server" ? server.close() : close());
    expect(await text).toMatch(/"id":"s1","result":\{.*"resultType":"complete"/);
    expect(await text).not.toContain("notifications/cancelled");
  },
);

test("a thousand streams that were cut leave nothing behind", { timeout: 60_000 }, async () => {
  const bus = createChangeBus();
  let subscribed = 0;
  const changes: ChangeBus = {
    publish: bus.publish,
    subscribe: (listener) => {
      const end = bus.subscribe(listener);
      subscribed += 1;
      return () => {
        subscribed -= 1;
        end();
      };
    },
  };
  const resources = createResources([{ uri: "note://one", name: "one", read: () => "1" }], { watch: true });
  const server = createServer({ info: { name: "s", version: "1" }, features: [resources], changes });
  const handler = createHttpHandler(server, { auth: anonymous() });
  await cutStreams(handler, 1_000);
  const before = heapUsed();
  await cutStreams(handler, 1_000);
  expect(subscribed).toBe(0);
  // less than half a KiB each
  expect(heapUsed() - before).toBeLessThan(512 * 1_024);
  await Promise.all([server.close(), handler.close()]);
});

async function cutStreams(handler: HttpHandler, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const caller = new AbortController();
    const reply = await handler.answer({
      method: "POST",
      url: "/mcp",
      headers: new Headers({ ...headers(), host: "localhost" }),
      signal: caller.signal,
      readText: async () => request(all),
    });
    if (typeof reply.body !== "function") throw new Error(`it was answered with ${reply.status}`);
    const sent = reply.body({ write: () => undefined });
    caller.abort();
    await sent;
  }
}

function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

test.each([stateless(), handshake()])(
  "SUB-14, SUB-15: $name: a server that went and came back is heard again",
  async (era) => {
    const first = await serving();
    const client = await connectClient({ dial: http(first.url), info: { name: "c", version: "1" }, eras: [era] });
    opened.push(client.close);
    const events: ListenEvent[] = [];
    let check = (): void => undefined;
    const heard = (type: ListenEvent["type"]): Promise<void> =>
      new Promise((resolve) => {
        check = () => {
          if (events.some((event) => event.type === type)) resolve();
        };
        check();
      });
    const { ended } = await listenTo(
      client,
      all,
      (event) => {
        events.push(event);
        check();
      },
      { delayMs: 5 },
    );
    first.touch();
    await heard("resource");
    await Promise.all([first.server.close(), first.close()]);
    events.length = 0;
    const second = await serving({}, first.port);
    await heard("resync");
    second.touch();
    await heard("resource");
    await client.close();
    await ended;
  },
);
