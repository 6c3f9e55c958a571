import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { bundle } from "../fixtures/bundle.js";
import type { StdioOptions } from "./stdio.js";

vi.setConfig({ testTimeout: 30_000 });

let echo: ReturnType<typeof bundle>;
let server: ReturnType<typeof bundle>;
beforeAll(() => {
  echo = bundle("echo");
  server = bundle("server");
});
afterAll(() => {
  echo.remove();
  server.remove();
});

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly out: () => string;
  readonly err: () => string;
  readonly lines: (count: number) => Promise<readonly string[]>;
  readonly says: (text: string) => Promise<void>;
  /** Code and signal. */
  readonly exit: Promise<readonly unknown[]>;
}

const running: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

const patiently = { timeout: 20_000, interval: 5 };

function run(
  { file }: { readonly file: string },
  options: StdioOptions = {},
  env: NodeJS.ProcessEnv = process.env,
): Running {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], { env });
  running.push(child);
  child.stdin.on("error", () => undefined);
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const lines = (): readonly string[] => out.split("\n").slice(0, -1);
  return {
    child,
    out: () => out,
    err: () => err,
    lines: (count) => vi.waitUntil(() => lines().length >= count && lines(), patiently),
    says: async (text) => void (await vi.waitUntil(() => err.includes(text), patiently)),
    exit: once(child, "close"),
  };
}

function request(id: number, method: string, params: object = {}): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

describe("stdout", () => {
  test("STD-06: what the program prints goes to stderr, and stdout carries messages only", async () => {
    const { child, exit, out, err } = run(echo);
    child.stdin.end('{"print":1}\n{"more":1}\n');
    expect(await exit).toEqual([0, null]);
    expect(out()).toBe('{"print":1}\n{"more":1}\n');
    expect(err()).toContain("printed by console.log\nprinted by process.stdout.write\n");
  });

  test("STD-06: the guard can be switched off, and close takes it away", async () => {
    const open = run(echo, { guard: false });
    open.child.stdin.end('{"print":1}\n');
    await open.exit;
    expect(open.out()).toContain("printed by console.log\n");
    const closed = run(echo);
    closed.child.stdin.write('{"close":1}\n');
    await closed.exit;
    expect(closed.out()).toBe('{"close":1}\nprinted after close\n');
  });

  test("BUG-13: text is UTF-8 whatever the locale", async () => {
    const { child, exit, out } = run(echo, {}, { ...process.env, LANG: "C", LC_ALL: "C" });
    child.stdin.end('{"text":"漢字🎉"}\n');
    await exit;
    expect(out()).toBe('{"text":"漢字🎉"}\n');
  });

  test("a client that does not read holds the server back, which goes on when it does", async () => {
    const { child, says, lines } = run(echo);
    child.stdout.pause();
    child.stdin.write('{"flood":1}\n');
    await says("held back after");
    child.stdout.resume();
    await says("drained");
    expect((await lines(1))[0]).toHaveLength(100_002);
  });
});

describe("stdin", () => {
  test("STD-05, BUG-10: a line that is no message gets an error, and the next its answer", async () => {
    const { child, lines } = run(server);
    child.stdin.write(`garbage\n${request(1, "ping").trim()} trailing\n${request(2, "ping")}`);
    const [first, second, third] = (await lines(3)).map((line) => JSON.parse(line));
    expect([first.error.code, second.error.code]).toEqual([-32700, -32700]);
    expect([first, second].some((answer) => "id" in answer)).toBe(false);
    expect(third).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  });

  test("STD-04: a line over the limit gets −32600 without id, and the next its answer", async () => {
    const { child, lines } = run(server, { maxFrameBytes: 1_000 });
    child.stdin.write("x".repeat(200_000));
    expect(JSON.parse((await lines(1))[0] ?? "")).toMatchObject({ error: { code: -32600 } });
    child.stdin.write(`${"x".repeat(200_000)}\n${request(2, "ping")}`);
    expect(JSON.parse((await lines(2))[1] ?? "")).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  });

  test("STD-02, BUG-01, BUG-04: CR LF and blank lines from a Windows client do no harm", async () => {
    const { child, exit, out } = run(server);
    child.stdin.end(`\r\n  \r\n${request(1, "ping").trim()}\r\n\r\n`);
    await exit;
    expect(out()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  });
});

describe("the end", () => {
  test("STD-19, BUG-14: a server without stdin ends by itself", async () => {
    const child = spawn(process.execPath, [echo.file], { stdio: ["ignore", "ignore", "ignore"] });
    expect(await once(child, "close")).toEqual([0, null]);
  });

  test("STD-19: a server ends with its stdin although something keeps it busy", async () => {
    const { child, lines, exit, err } = run(echo);
    child.stdin.write('{"busy":1}\n');
    await lines(1);
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    expect(err()).toBe("closed\n");
  }, 10_000);

  test("STD-19, BUG-14, BUG-28: a running handler is aborted when stdin ends, and its answer still leaves", async () => {
    const { child, says, exit, err, out } = run(server);
    child.stdin.write(request(1, "work"));
    await says("working");
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    expect(err()).toBe("working\naborted\n");
    expect(out()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  }, 10_000);

  test("BUG-14, BUG-28: a handler that does not stop does not keep the server", async () => {
    const { child, says, exit, err } = run(server);
    child.stdin.write(request(1, "work", { stubborn: true }));
    await says("working");
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    expect(err()).toBe("working\naborted\n");
  }, 10_000);

  test("BUG-11: requests that came just before the end are answered, the last without a newline too", async () => {
    const { child, exit, out } = run(echo);
    child.stdin.end('{"late":1}\n{"late":2}\n{"late":3}');
    expect(await exit).toEqual([0, null]);
    expect(out()).toBe('{"late":1}\n{"late":2}\n{"late":3}\n');
  });

  test("BUG-25: a client that stops reading is a normal end: code 0, no stack trace", async () => {
    const { child, lines, exit, err } = run(echo);
    child.stdin.write('{"busy":1}\n');
    await lines(1);
    child.stdout.destroy();
    child.stdin.write('{"print":1}\n{"more":1}\n');
    expect((await exit)[0]).toBe(0);
    expect(err().replaceAll(/printed by .*\n/g, "")).toBe("closed: write EPIPE\n");
  }, 10_000);

  test("BUG-25: neither is it an error that nobody reads stderr any more", async () => {
    const { child, lines, exit } = run(echo);
    child.stdin.write('{"first":1}\n');
    await lines(1);
    child.stderr.destroy();
    child.stdin.write('{"print":1}\n');
    await lines(2);
    child.stdout.destroy();
    child.stdin.end('{"print":2}\n');
    expect(await exit).toEqual([0, null]);
  });

  test("the process may stay, if told so", async () => {
    const { child, lines, says } = run(echo, { exit: false, lingerMs: 0, exitAfterMs: 0 });
    child.stdin.write('{"busy":1}\n');
    await lines(1);
    child.stdin.end();
    await says("closed");
    expect(child.exitCode).toBeNull();
  });
});
