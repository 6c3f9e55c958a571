import { once } from "node:events";
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { type AddressInfo, connect as connectTcp, type Socket } from "node:net";
import type { Principal } from "@parlance/jsonrpc";
import { type Feature, logging, type Outcome } from "@parlance/protocol-versions";
import { afterEach, expect, test } from "vitest";
import { anonymous } from "../index.js";
import { envelope, modernVersion } from "../stateless/modern.fixture.js";
import { statelessBinding } from "../stateless/server.js";
import { echo, features, serveFeatures } from "../wire.fixture.js";
import { type Listening, listen, toNodeListener } from "./listen.js";

const done: Outcome = { type: "complete", result: { content: [] } };
const opened: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

async function listening(feature = echo, options: Parameters<typeof serveFeatures>[1] = {}): Promise<Listening> {
  const server = await listen(serveFeatures(feature, options).handler);
  opened.push(server);
  return server;
}

const call = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "x", _meta: { ...envelope, progressToken: 1 } },
});
const headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": modernVersion,
  "Mcp-Method": "tools/call",
  "Mcp-Name": "x",
};

const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

async function send(port: number, body: string, options: RequestOptions = {}): Promise<IncomingMessage> {
  const sent = httpRequest({ port, host: "127.0.0.1", path: "/mcp", method: "POST", headers, ...options });
  sent.end(body);
  const [response] = await once(sent, "response");
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += chunk;
  return text;
}

/** A request written by hand, and the connection it was written on. */
async function byHand(port: number, head: readonly string[], body: string): Promise<Socket> {
  const socket = connectTcp(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${head.join("\r\n")}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}

test("a port of its own serves one path, with or without a query, and nothing else", async () => {
  const { port, url } = await listening();
  expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
  const answer = await send(port, call);
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/json"]);
  expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(await textOf(answer))));
  expect((await send(port, call, { path: "/mcp?x=1" })).statusCode).toBe(200);
  for (const path of ["/", "/mcp/", "/mcpx", "/mcp/x"]) expect((await send(port, call, { path })).statusCode).toBe(404);
});

test("BUG-47: the path is served where it is, without a redirect", async () => {
  const { handler } = serveFeatures(echo);
  const server = await listen(handler, { path: "/mcp/" });
  opened.push(server);
  expect((await send(server.port, call, { path: "/mcp/" })).statusCode).toBe(200);
  expect((await send(server.port, call)).statusCode).toBe(404);
});

test("HTTP-M-05: without authentication no other address is bound", async () => {
  const { handler } = serveFeatures(echo);
  for (const host of ["0.0.0.0", "::", "192.0.2.1", ""]) {
    await expect(listen(handler, { host })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  }
  const guarded = serveFeatures(echo, { auth: anonymous({ public: true }) }).handler;
  const server = await listen(guarded, { host: "0.0.0.0" });
  opened.push(server);
  expect((await send(server.port, call)).statusCode).toBe(200);
  await expect(listen(handler, { port: server.port })).rejects.toMatchObject({
    code: "UNREACHABLE",
    message: `port ${server.port} of 127.0.0.1 cannot be bound: it is in use; 0 stands for any that is free`,
    details: { port: server.port, host: "127.0.0.1", code: "EADDRINUSE" },
  });
});

test("HTTP-M-41, HTTP-M-43, BUG-174: headers are read as they came: without case, trimmed, and one that came twice is a mismatch", async () => {
  const { port } = await listening();
  const standard = Object.entries(headers).filter(([name]) => name !== "Mcp-Method");
  const status = async (...more: string[]): Promise<string> => {
    const socket = await byHand(
      port,
      [...standard.map(([name, value]) => `${name.toUpperCase()}: ${value}`), ...more],
      call,
    );
    const [chunk] = await once(socket, "data");
    socket.destroy();
    return String(chunk).slice(9, 12);
  };
  expect(await status("mCP-mETHOD:   tools/call \t")).toBe("200");
  expect(await status("mcp-method: tools/call", "Mcp-Method: tools/call")).toBe("400");
  expect(await status("mcp-method: tools/list", "Mcp-Method: tools/call")).toBe("400");
  expect(await status("Mcp-Method: tools/call", "Origin: http://localhost", "Origin: http://evil.example")).toBe("403");
  expect(await status("Mcp-Method: tools/call", "Host: evil.example")).toBe("403");
});

test("BUG-52: the head of a stream is sent at once", async () => {
  let finish = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { port } = await listening(
    features({
      "tools/call": async (each) => {
        await each.progress(1);
        await waiting;
        return done;
      },
    }),
  );
  const response = await send(port, call);
  expect(response.headers).toMatchObject({ "content-type": "text/event-stream", "x-accel-buffering": "no" });
  finish();
  expect(await textOf(response)).toContain('"result"');
});

test("HTTP-M-27, HTTP-M-29, BUG-59: a connection that is cut aborts the call, answered in part or not at all", async () => {
  for (const begins of [true, false]) {
    let aborted = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    let socket: Socket | undefined;
    const feature: Feature = async ({ signal, progress }) => {
      signal.addEventListener("abort", aborted);
      if (begins) await progress(1);
      socket?.destroy();
      await stopped;
      return done;
    };
    const { port } = await listening(features({ "tools/call": feature }));
    socket = await byHand(port, lines, call);
    await stopped;
  }
});

test("HTTP-M-59, SEC-18: a reader that does not read is cut when too much waits for it", async () => {
  const piece = "x".repeat(64 * 1024);
  let told = (): void => undefined;
  const stalled = new Promise<void>((resolve) => {
    told = resolve;
  });
  const talking = features({
    "tools/call": async (each) => {
      while (!each.signal.aborted) {
        void each.log("info", piece);
        await new Promise(setImmediate);
      }
      return done;
    },
  });
  const { outside } = logging({ maxPerSecond: 1_000_000 });
  const { port } = await listening(
    { ...talking, outside },
    {
      bindings: [statelessBinding({ maxQueued: 256 * 1024 })],
      report: ({ kind }) => {
        if (kind === "reader_stalled") told();
      },
    },
  );
  const loud = call.replace('"_meta":{', '"_meta":{"io.modelcontextprotocol/logLevel":"info",');
  const socket = await byHand(port, lines, loud);
  socket.pause();
  await stalled;
  const closed = once(socket, "close");
  socket.on("error", () => undefined).resume();
  await closed;
});

test("what is larger than the limit on what may wait reaches a caller who reads", async () => {
  const text = "x".repeat(512 * 1024);
  const large = features({
    "tools/call": async (each) => {
      void each.progress(1);
      return { type: "complete", result: { content: [{ type: "text", text }] } };
    },
  });
  const { port } = await listening(large, { bindings: [statelessBinding({ maxQueued: 256 * 1024 })] });
  const response = await send(port, call);
  expect(response.headers["content-type"]).toBe("text/event-stream");
  expect(await textOf(response)).toContain(text);
});

test("a caller whom a framework has answered in the meantime is not answered twice", async () => {
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const slow = features({ "tools/call": () => gone.then(() => done) });
  const serve = toNodeListener(serveFeatures(slow).handler);
  const server = createHttpServer((message, response) => {
    serve(message, response);
    message.on("end", () => {
      response.writeHead(504).write("too ");
      go();
      setImmediate(() => response.end("slow"));
    });
  });
  opened.push({ close: async () => server.close() });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const response = await send(port, call);
  expect([response.statusCode, await textOf(response)]).toEqual([504, "too slow"]);
});

test("a caller whom a framework has answered while the guard looked counts as one who hung up", async () => {
  let tell = (_: boolean): void => undefined;
  const told = new Promise<boolean>((resolve) => {
    tell = resolve;
  });
  const asking = features({
    "tools/call": (each) => {
      tell(each.signal.aborted);
      return done;
    },
  });
  let admit = (): void => undefined;
  const looked = new Promise<void>((resolve) => {
    admit = resolve;
  });
  const auth = (): Promise<Principal> => looked.then(() => ({ id: "somebody", scopes: [] }));
  const serve = toNodeListener(serveFeatures(asking, { auth }).handler);
  const server = createHttpServer(async (message, response) => {
    let text = "";
    for await (const chunk of message) text += chunk;
    serve(Object.assign(message, { body: JSON.parse(text) }), response);
    response.writeHead(504).end();
    response.on("close", admit);
  });
  opened.push({ close: async () => server.close() });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect((await send(port, call)).resume().statusCode).toBe(504);
  expect(await told).toBe(true);
});

test("a body that a framework has parsed or read is taken over", async () => {
  const { handler } = serveFeatures(echo);
  const serve = toNodeListener(handler);
  for (const take of [
    (text: string): unknown => JSON.parse(text),
    (text: string): unknown => text,
    (text: string): unknown => Buffer.from(text),
  ]) {
    const server = createHttpServer(async (message, response) => {
      let text = "";
      for await (const chunk of message) text += chunk;
      serve(Object.assign(message, { body: take(text) }), response);
    });
    opened.push({ close: async () => server.close() });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const response = await send(port, call, { path: "/anywhere" });
    expect([response.statusCode, await textOf(response)]).toEqual([200, expect.stringContaining('"text":"x"')]);
  }
});

test("a body that a framework held back is read, and one that it left nothing of is refused", async () => {
  const { handler } = serveFeatures(echo);
  const serve = toNodeListener(handler);
  for (const [before, status] of [
    [async (message: IncomingMessage) => void message.pause(), 200],
    [(message: IncomingMessage) => once(message.resume(), "end"), 400],
    [(message: IncomingMessage) => once(message.resume(), "close"), 400],
    [(message: IncomingMessage) => once(message, "data").then(() => message.pause()), 400],
  ] as const) {
    const server = createHttpServer((message, response) => void before(message).then(() => serve(message, response)));
    opened.push({ close: async () => server.close() });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect((await send(port, call)).statusCode).toBe(status);
  }
});

test("HTTP-M-58: a body over the limit is refused, and its connection ends", async () => {
  const { port } = await listening(echo, { maxBodyBytes: 1_000 });
  const response = await send(port, call.padEnd(2_000));
  expect([response.statusCode, response.headers.connection]).toEqual([413, "close"]);
  const chunked = httpRequest({ port, host: "127.0.0.1", path: "/mcp", method: "POST", headers });
  chunked.on("error", () => undefined);
  chunked.write(" ".repeat(600));
  chunked.write(" ".repeat(600));
  const [refused] = await once(chunked, "response");
  expect(refused.statusCode).toBe(413);
  chunked.destroy();
});

test("LC-26: close ends the port, the streams and every connection", async () => {
  const { handler } = serveFeatures(echo);
  const server = await listen(handler);
  const kept = await byHand(server.port, lines, call);
  await once(kept, "data");
  const ended = once(kept, "close");
  await Promise.all([server.close(), server.close()]);
  await ended;
  expect(server.server.listening).toBe(false);
});

test("BUG-123: calls that are cut leave nothing behind", async () => {
  const { port, server } = await listening(
    features({
      "tools/call": async (each) => {
        await each.progress(1);
        await new Promise((resolve) => each.signal.addEventListener("abort", resolve));
        return done;
      },
    }),
    { maxRequests: 5, maxStreams: 5 },
  );
  for (let round = 0; round < 20; round++) {
    const socket = await byHand(port, lines, call);
    await once(socket, "data");
    socket.destroy();
    await once(socket, "close");
  }
  const open = await new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
  expect(open).toBeLessThanOrEqual(5);
});
