import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

const program = (name: string): string => fileURLToPath(new URL(`dist/${name}.js`, import.meta.url));
const server = { kind: "stdio", command: process.execPath, args: [program("server"), "stdio"] };
const children: ChildProcessWithoutNullStreams[] = [];

beforeAll(() => {
  for (const name of ["server", "client"]) {
    if (!existsSync(program(name))) throw new Error(`${program(name)} is not there; run pnpm build first`);
  }
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  children.push(child);
  return child;
}

/** Runs operations one after the other; resolves with everything that was printed until the end. */
async function operate(operations: readonly object[]): Promise<readonly { readonly [key: string]: unknown }[]> {
  const child = start([program("client")]);
  const printed: { readonly [key: string]: unknown }[] = [];
  const [first, ...rest] = operations.map((operation, n) => `${JSON.stringify({ n, ...operation })}\n`);
  child.stdin.write(first);
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(JSON.parse(line));
    if (printed.at(-1)?.["event"] !== undefined) continue;
    const next = rest.shift();
    if (next === undefined) child.stdin.end();
    else child.stdin.write(next);
  }
  return printed;
}

/** Starts the server behind HTTP; resolves with its URL. */
async function serve(env: Readonly<Record<string, string>> = {}) {
  const child = start([program("server"), "http", "0"], env);
  for await (const url of createInterface({ input: child.stderr })) return { url, child };
  throw new Error("the server did not say where it listens");
}

describe.each(["stdio", "http"])("over %s", (kind) => {
  const reach = async () => (kind === "stdio" ? server : { kind, url: (await serve()).url });

  test.each([
    ["dual", "stateless", "2026-07-28"],
    ["modern", "stateless", "2026-07-28"],
    ["legacy", "handshake", "2025-11-25"],
  ])("a client of era %s reaches the server of both", async (word, era, version) => {
    const printed = await operate([
      { op: "connect", era: word, transport: await reach() },
      { op: "listTools" },
      { op: "callTool", name: "echo", arguments: { text: "é\u2028" } },
      { op: "callTool", name: "progress", arguments: { steps: 2 }, progress: true },
      { op: "callTool", name: "none" },
      { op: "close" },
    ]);
    expect(printed).toMatchObject([
      { n: 0, ok: { era, version } },
      { n: 1, ok: ["echo", "noargs", "progress", "slow", "stats"].map((name) => ({ name })) },
      { n: 2, ok: { content: [{ text: "é\u2028" }] } },
      { event: "progress", of: 3, value: { progress: 1, total: 2 } },
      { event: "progress", of: 3, value: { progress: 2, total: 2 } },
      { n: 3, ok: { content: [{ text: "done" }] } },
      { n: 4, error: { code: -32602, name: "RpcError" } },
      { n: 5, ok: null },
    ]);
  });

  test("a call that times out is aborted on the other side", async () => {
    const printed = await operate([
      { op: "connect", era: "dual", transport: await reach() },
      { op: "callTool", name: "slow", arguments: { ms: 60_000 }, timeoutMs: kind === "stdio" ? 20 : 1_000 },
      { op: "callTool", name: "noargs" }, // over HTTP a hang-up and what follows it go different ways
      { op: "callTool", name: "stats" },
    ]);
    expect(printed[1]).toMatchObject({ n: 1, error: { code: "TIMEOUT" } });
    expect(JSON.stringify(printed[3])).toContain(String.raw`\"started\":1,\"finished\":0,\"aborted\":1`);
  });
});

test("what is not there says so", async () => {
  expect(await operate([{ op: "connect", era: "dual", transport: { kind: "pigeon" } }])).toMatchObject([
    { error: { message: 'transport {"kind":"pigeon"} is none of: stdio, http' } },
  ]);
  const [code] = await once(start([program("server"), "http"]), "exit");
  expect(code).toBe(1);
});

test("over HTTP a server of one era serves that only, with sessions where the era has them", async () => {
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  const knock = async (era: string) => {
    const { url } = await serve({ MCP_FIXTURE_ERA: era });
    return fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello }),
    });
  };
  const [legacy, modern] = await Promise.all([knock("legacy"), knock("modern")]);
  expect([legacy.status, legacy.headers.has("mcp-session-id")]).toEqual([200, true]);
  expect([modern.status, modern.headers.has("mcp-session-id")]).toEqual([400, false]);
});

test("SEC-17: over HTTP the server refuses the host of a page that was rebound to it", async () => {
  const { url } = await serve();
  const sent = request(url, { method: "POST", headers: { host: "evil.example" } });
  const [response] = await once(sent.end("{}"), "response");
  expect(response.resume().statusCode).toBe(403);
});

test("over HTTP the server ends with its stdin, also while a session is open", async () => {
  const { url, child } = await serve();
  await operate([{ op: "connect", era: "legacy", transport: { kind: "http", url } }]);
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("BUG-14: the server ends with its stdin, also while a call runs", async () => {
  const child = start([program("server"), "stdio"], { MCP_FIXTURE_ERA: "legacy" });
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  const slow = { name: "slow", arguments: { ms: 60_000 } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`);
  await once(child.stdout, "data");
  child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: slow })}\n`);
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("the server reads the tags of its template", async () => {
  const child = start([program("server"), "stdio"]);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (uri: string): Promise<object> => {
    const request = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri, _meta } };
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return JSON.parse((await lines.next()).value);
  };
  expect(await read("box:///tags/a%20b/c")).toMatchObject({ result: { contents: [{ text: '["a b","c"]' }] } });
  expect(await read("box:///tags")).toMatchObject({ result: { contents: [{ text: "[]" }] } });
  expect(await read("box:///tag")).toMatchObject({ error: { code: -32602, data: { uri: "box:///tag" } } });
});
