import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, expect, test } from "vitest";

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

test.each([
  ["dual", "stateless", "2026-07-28"],
  ["modern", "stateless", "2026-07-28"],
  ["legacy", "handshake", "2025-11-25"],
])("a client of era %s reaches the server of both", async (word, era, version) => {
  const printed = await operate([
    { op: "connect", era: word, transport: server },
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
    { op: "connect", era: "dual", transport: server },
    { op: "callTool", name: "slow", arguments: { ms: 60_000 }, timeoutMs: 20 },
    { op: "callTool", name: "stats" },
  ]);
  expect(printed[1]).toMatchObject({ n: 1, error: { code: "TIMEOUT" } });
  expect(JSON.stringify(printed[2])).toContain(String.raw`\"started\":1,\"finished\":0,\"aborted\":1`);
});

test("what is not built says so", async () => {
  expect(await operate([{ op: "connect", era: "dual", transport: { kind: "http", url: "x" } }])).toMatchObject([
    { error: { message: 'transport "http" is not built yet; use stdio' } },
  ]);
  const [code] = await once(start([program("server"), "http", "0"]), "exit");
  expect(code).toBe(1);
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
