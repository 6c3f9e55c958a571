import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import type { Principal } from "@parlance/jsonrpc";
import { expect, onTestFinished, test } from "vitest";
import { introduction } from "../handshake/session.fixture.js";
import { envelope, modernVersion } from "../stateless/modern.fixture.js";
import { echo, features, serveFeatures } from "../wire.fixture.js";
import { type Listening, listen } from "./listen.js";

const accept = "accept: application/json, text/event-stream";

async function serve(feature = echo): Promise<Listening> {
  // one that is not given back refuses the next
  const listening = await listen(serveFeatures(feature, { maxRequests: 1, maxStreams: 1 }).handler);
  onTestFinished(() => listening.close());
  return listening;
}

function post(body: string, ...more: string[]): string {
  const head = ["POST /mcp HTTP/1.1", "host: 127.0.0.1", accept, "content-type: application/json", ...more];
  return `${[...head, `content-length: ${Buffer.byteLength(body)}`].join("\r\n")}\r\n\r\n${body}`;
}

const params = { name: "x", _meta: { ...envelope, progressToken: 1 } };
const stateless = post(
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  `mcp-protocol-version: ${modernVersion}`,
  "mcp-method: tools/call",
  "mcp-name: x",
);
const initialize = post(JSON.stringify(introduction("2025-11-25")));

/** Sends a text and hangs up; settles when the server knows. */
async function sendAndHangUp({ server, port }: Listening, text: string, after?: string): Promise<void> {
  const arrived = once(server, "connection") as Promise<[Socket]>;
  const socket = connectTcp(port, "127.0.0.1");
  socket.on("error", () => {});
  const [there] = await arrived;
  const closed = new Promise<void>((resolve) => void there.on("close", () => resolve()));
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  if (after !== undefined) await heard(socket, after);
  socket.destroy();
  await closed;
}

/** Reads until a text has come. */
async function heard(socket: Socket, text: string): Promise<string> {
  let all = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    all += chunk;
    if (all.includes(text)) return all;
  }
  throw new Error(`the connection ended before ${text}: ${all}`);
}

async function exchange({ port }: Listening, text: string, end: string): Promise<string> {
  const socket = connectTcp(port, "127.0.0.1");
  socket.write(text);
  try {
    return await heard(socket, end);
  } finally {
    socket.destroy();
  }
}

test.each([
  ["a request of the stateless era", stateless],
  ["a handshake", initialize],
])("BUG-123, SEC-18: a caller of %s who hangs up after any byte leaves no request behind", async (_, request) => {
  const listening = await serve();
  for (let length = 1; length <= request.length; length += length < request.length - 20 ? 11 : 1) {
    await sendAndHangUp(listening, request.slice(0, length));
  }
  expect(await exchange(listening, stateless, '"content"')).toContain("HTTP/1.1 200");
});

test("BUG-123, SEC-18: one who hangs up at any byte of an answered stream leaves no stream behind", async () => {
  const feature = features({
    "tools/call": async (call) => {
      await call.progress(1);
      return { type: "complete", result: { content: [] } };
    },
  });
  const listening = await serve(feature);
  for (const seen of ["H", "HTTP/1.1 200", "\r\n\r\n", "event", "progress", "\n\n", "result"]) {
    await sendAndHangUp(listening, stateless, seen);
  }
  expect(await exchange(listening, stateless, '"content"')).toContain("text/event-stream");
});

test("HTTP-L-28, SEC-18: a GET stream whose reader hangs up gives back its place", async () => {
  const listening = await serve();
  const [, id = ""] = /mcp-session-id: (\S+)/i.exec(await exchange(listening, initialize, '"result"')) ?? [];
  const get = `GET /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\nmcp-session-id: ${id}\r\n\r\n`;
  for (let times = 0; times < 5; times++) await sendAndHangUp(listening, get, "text/event-stream");
  expect(await exchange(listening, get, "\r\n\r\n")).toContain("HTTP/1.1 200");
});

test.each([
  ["two lengths", post("{}", "content-length: 40")],
  ["a length and chunks", post("{}", "transfer-encoding: chunked")],
  ["a length that is no number", post("{}").replace("content-length: 2", "content-length: +2")],
  ["chunks that are coded again", post("{}", "transfer-encoding: chunked, identity")],
  ["a name with a blank behind it", post("{}", "host : evil.example")],
  ["a line that is folded", post("{}", "mcp-name: a\r\n b")],
  ["a null in a value", post("{}", "mcp-name: a\0b")],
  ["two hosts", post("{}", "host: evil.example")],
  ["no host", post("{}").replace("host: 127.0.0.1\r\n", "")],
])("SEC-17: a request with %s is refused, and its connection not used again", async (_, request) => {
  const listening = await serve();
  const socket = connectTcp(listening.port, "127.0.0.1");
  socket.write(request + stateless);
  let all = "";
  for await (const chunk of socket) all += chunk;
  expect(all).toMatch(/^HTTP\/1\.1 (?:400|403)/);
  expect(all).not.toContain("HTTP/1.1 200");
});

test("SEC-18: one who hangs up while the guard looks gives back its place", async () => {
  let admit = (): void => {};
  const looked = new Promise<void>((resolve) => {
    admit = resolve;
  });
  const auth = async (): Promise<Principal> => {
    await looked;
    return { id: "somebody", scopes: [] };
  };
  const { handler } = serveFeatures(echo, { auth, maxRequests: 1 });
  const listening = await listen(handler);
  onTestFinished(() => listening.close());
  await sendAndHangUp(listening, stateless.slice(0, -1));
  admit();
  expect(await exchange(listening, stateless, '"content"')).toContain("HTTP/1.1 200");
});

test("a body that comes byte by byte is read whole, with or without a length", async () => {
  const listening = await serve();
  const [head = "", body = ""] = stateless.split("\r\n\r\n");
  const chunked = `${head.replace(/content-length: \d+/, "transfer-encoding: chunked")}\r\n\r\n`;
  const sent: readonly [string, readonly string[]][] = [
    [`${head}\r\n\r\n`, [...body]],
    [chunked, [...[...body].map((byte) => `1\r\n${byte}\r\n`), "0\r\n\r\n"]],
  ];
  for (const [start, pieces] of sent) {
    const socket = connectTcp(listening.port, "127.0.0.1").setNoDelay(true);
    for (const piece of [start, ...pieces]) await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
    expect(await heard(socket, '"content"')).toContain("HTTP/1.1 200");
    socket.destroy();
  }
});

test("a mark of the byte order does not count, however the body is cut", async () => {
  const listening = await serve();
  const body = `\uFEFF${stateless.split("\r\n\r\n")[1]}`;
  const head = stateless.split("\r\n\r\n")[0]?.replace(/content-length: \d+/, "") ?? "";
  const size = Buffer.byteLength(body);
  const whole = `${head}content-length: ${size}\r\n\r\n${body}`;
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  for (const request of [whole, chunked]) {
    expect(await exchange(listening, request, "\r\n\r\n")).toContain("HTTP/1.1 200");
  }
});
