import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Channel, type Handler, over, type Transport } from "@parlance/jsonrpc";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createInbox, type Inbox } from "../fixtures/inbox.js";
import { runs } from "../fixtures/processes.js";
import { type SpawnOptions, type StdioReport, spawn } from "./spawn.js";

vi.setConfig({ testTimeout: 30_000 });

const channels: Channel[] = [];
afterEach(async () => {
  await Promise.all(channels.splice(0).map((channel) => channel.close()));
});

/** A child that is Node with a program given in its arguments. */
function node(script: string, options: Partial<SpawnOptions> = {}): SpawnOptions {
  return { command: process.execPath, ...options, args: ["-e", script, ...(options.args ?? [])] };
}

async function open(transport: Transport, inbox: Inbox = createInbox()): Promise<{ channel: Channel; inbox: Inbox }> {
  const channel = await transport(inbox);
  channels.push(channel);
  return { channel, inbox };
}

function collect(): { reports: StdioReport[]; lines(): string[]; report: (report: StdioReport) => void } {
  const reports: StdioReport[] = [];
  return {
    reports,
    report: (one) => void reports.push(one),
    lines: () => reports.flatMap((one) => (one.kind === "stderr" ? [one.line] : [])),
  };
}

const echo = "process.stdin.pipe(process.stdout)";
const nobody: Handler = { request: () => ({}) };
const patiently = { timeout: 20_000, interval: 5 };

describe("messages", () => {
  test("STD-10: a client talks to a program over its stdin and stdout", async () => {
    const { channel, inbox } = await open(spawn(node(echo)));
    const texts = ["{}", '{"text":"漢字 \u2028"}', `{"long":"${"x".repeat(1_000_000)}"}`];
    for (const text of texts) void channel.send(text);
    expect(await inbox.received(3)).toEqual(texts);
  });

  test("STD-01, STD-07: the program reads messages, one a line, and nothing else", async () => {
    const seen = collect();
    const script = `let all = ""; process.stdin.on("data", (d) => (all += d)).on("end", () => console.error(JSON.stringify(all)))`;
    const peer = await over(spawn(node(script, { report: seen.report })))(nobody);
    const pending = peer.request("first", { text: "a\nb" }).catch(() => undefined);
    await peer.notify("second", {});
    await peer.close();
    await pending;
    const all: unknown = JSON.parse(seen.lines().join(""));
    expect(all).toMatch(/^\{.*\}\n\{.*\}\n$/);
    expect(
      String(all)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).method),
    ).toEqual(["first", "second"]);
  });

  test("STD-08, STD-09: stderr is reported line by line, never blocks the child and is no error", async () => {
    const seen = collect();
    const script = `process.stderr.write("starting\\n\\n漢字\\n" + "x".repeat(1_000_000) + "\\nlast", () => ${echo})`;
    const { channel, inbox } = await open(spawn(node(script, { report: seen.report })));
    void channel.send("{}");
    await inbox.received(1);
    await channel.close();
    const lines = seen.lines();
    expect(lines.slice(0, 2)).toEqual(["starting", "漢字"]);
    expect(lines.at(-1)).toBe("last");
    expect(lines.slice(2, -1).join("")).toHaveLength(1_000_000);
    expect(inbox.ends).toEqual([undefined]);
  });

  test("STD-05: a line that is no message reaches the sink as it is, and reading goes on", async () => {
    const { inbox } = await open(spawn(node(`console.log("Server started\\n{}"); process.stdin.resume()`)));
    expect(await inbox.received(2)).toEqual(["Server started", "{}"]);
  });

  test.each<[string, () => void]>([
    [
      "throws",
      () => {
        throw new Error("not mine");
      },
    ],
    // a rejection that nobody handles fails the run
    ["rejects", () => Promise.reject(new Error("not mine"))],
  ])("BUG-19: a report that %s does no harm", async (_, report) => {
    const script = `console.error("noise"); ${echo}`;
    const { channel, inbox } = await open(spawn(node(script, { report })));
    void channel.send("{}");
    expect(await inbox.received(1)).toEqual(["{}"]);
  });
});

describe("starting", () => {
  test("BUG-26: making the transport starts nothing, and each connection starts the program once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parlance-spawn-"));
    const file = join(folder, "starts");
    const transport = spawn(
      node(`require("fs").appendFileSync(process.argv[1], process.pid + "\\n"); ${echo}`, { args: [file] }),
    );
    try {
      expect(() => readFileSync(file)).toThrow();
      const { channel, inbox } = await open(transport);
      void channel.send("{}");
      await inbox.received(1);
      expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("BUG-27: arguments arrive unchanged, without a shell in between", async () => {
    const args = ["a b", 'c"d', "%PATH%", "$HOME", "&echo x", "", "漢字", "*", "back\\slash\\"];
    const script = "console.log(JSON.stringify(process.argv.slice(1))); process.stdin.resume()";
    const { inbox } = await open(spawn(node(script, { args: ["--", ...args] })));
    expect(JSON.parse((await inbox.received(1))[0] ?? "")).toEqual(args);
  });

  test("STD-23, STD-24, BUG-22: a child sees a short list of our variables, and those it is given", async () => {
    vi.stubEnv("PARLANCE_TEST_SECRET", "do not pass on");
    const script = "console.log(JSON.stringify(process.env)); process.stdin.resume()";
    try {
      const { inbox } = await open(spawn(node(script, { env: { TOKEN: "x", HOME: undefined } })));
      const env: Record<string, string> = JSON.parse((await inbox.received(1))[0] ?? "");
      expect(env).toMatchObject({ TOKEN: "x", PATH: process.env["PATH"] });
      expect(Object.keys(env)).not.toContain("PARLANCE_TEST_SECRET");
      expect(Object.keys(env)).not.toContain("HOME");
      const all = await open(spawn(node(script, { inheritEnv: Object.keys(process.env) })));
      expect(JSON.parse((await all.inbox.received(1))[0] ?? "")).toMatchObject({
        PARLANCE_TEST_SECRET: "do not pass on",
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("BUG-20: a program that cannot be started rejects at once and says what is wrong", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parlance-spawn-"));
    try {
      const rejections = async (options: SpawnOptions): Promise<unknown> => {
        try {
          return await spawn(options)(createInbox());
        } catch (error) {
          return `${Reflect.get(Object(error), "code")} ${error instanceof Error && error.message}`;
        }
      };
      expect(await rejections({ command: "no-such-program", env: { PATH: "/nowhere" } })).toBe(
        'SPAWN_FAILED "no-such-program" could not be started: there is no such program; check its path, or PATH in env, and put arguments into args',
      );
      expect(await rejections({ command: "/no/such/bin" })).toBe(
        'SPAWN_FAILED "/no/such/bin" could not be started: there is no such program; check its path, or PATH in env, and put arguments into args',
      );
      expect(await rejections(node("", { cwd: join(folder, "missing") }))).toContain(
        `could not be started: the working directory "${join(folder, "missing")}" does not exist`,
      );
      expect(await rejections({ command: folder })).toContain("could not be started: it is no executable file");
      expect(await rejections({ command: process.execPath, args: ["a\0b"] })).toContain("null bytes");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([{}, "node server.js", { command: "" }])("%j is no program, and the error shows one", (options) => {
    expect(() => spawn(options as never)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: 'spawn needs a command: spawn({ command: "node", args: ["server.js"] })',
      }),
    );
  });

  test("BUG-20: the error keeps the cause and what a program can act on", async () => {
    const error = await Promise.resolve(spawn({ command: "no-such-program" })(createInbox())).catch((reason) => reason);
    expect(error).toMatchObject({
      code: "SPAWN_FAILED",
      cause: { code: "ENOENT" },
      details: { command: "no-such-program", cwd: process.cwd(), code: "ENOENT" },
    });
  });
});

describe("a child that ends by itself", () => {
  test("BUG-18: what is pending rejects with CLOSED, the exit code and the last words", async () => {
    const script = `process.stdin.once("data", () => { console.error("warming up\\nError: no database\\n    at line 1\\n"); process.exitCode = 137; process.stdin.destroy() })`;
    const peer = await over(spawn(node(script)))(nobody);
    const error: unknown = await peer.request("tools/call", {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "CLOSED" });
    expect(String(error)).toContain(
      `"${process.execPath} -e" exited with code 137; its last line on stderr: Error: no database`,
    );
    await expect(peer.request("later", {})).rejects.toMatchObject({ code: "CLOSED" });
    await peer.close();
  });

  test("BUG-18: the cause carries the command, the exit code, the signal and the end of stderr", async () => {
    const { inbox, channel } = await open(
      spawn(node(`console.error("x".repeat(20_000) + "\\nthe end"); process.kill(process.pid, "SIGKILL")`)),
    );
    expect(await inbox.closing).toMatchObject({
      code: "CLOSED",
      message: `the server "${process.execPath} -e" was ended by SIGKILL; its last line on stderr: the end`,
      details: {
        command: process.execPath,
        exitCode: null,
        signal: "SIGKILL",
        stderr: expect.stringMatching(/^x+\nthe end\n$/),
      },
    });
    await expect(Promise.resolve(channel.send("{}"))).rejects.toBe(inbox.ends[0]);
  });

  test("a program that lives on is described with its command and its last words", async () => {
    const { channel, inbox } = await open(
      spawn(node(`console.error("no port"); console.log(1); setInterval(() => {}, 1e6)`)),
    );
    await inbox.received(1);
    await vi.waitFor(() =>
      expect(channel.describe?.("said nothing")).toMatchObject({
        message: `the server "${process.execPath} -e" said nothing; its last line on stderr: no port`,
        details: { command: process.execPath, exitCode: null, signal: null, stderr: "no port\n" },
      }),
    );
  });

  test("BUG-19, BUG-20: an early exit closes the connection and troubles nobody else", async () => {
    const { inbox, channel } = await open(
      spawn(node("", { args: [], command: process.execPath, env: { NODE_OPTIONS: "--require=/no/such/module.js" } })),
    );
    void Promise.resolve(channel.send("{}")).catch(() => undefined);
    expect(await inbox.closing).toMatchObject({
      details: { exitCode: 1 },
      message: expect.stringContaining("Cannot find module"),
    });
    await Promise.all([channel.close(), channel.close()]);
    expect(inbox.ends).toHaveLength(1);
  });

  test("LC-25: a server may end by closing stdout and exiting; all it wrote arrives first", async () => {
    const { inbox } = await open(spawn(node(`process.stdout.write("1\\n2\\n3", () => process.exit(0))`)));
    expect(await inbox.closing).toMatchObject({ code: "CLOSED", details: { exitCode: 0, signal: null } });
    expect(inbox.frames).toEqual(["1", "2", "3"]);
  });

  test("LC-25: a server that closes stdout and stays is ended", async () => {
    const script = `console.error(process.pid); require("fs").closeSync(1); process.stdin.resume(); setInterval(() => {}, 1000)`;
    const seen = collect();
    const { inbox, channel } = await open(
      spawn(node(script, { explainMs: 50, terminateAfterMs: 10, report: seen.report })),
    );
    expect(await inbox.closing).toMatchObject({
      message: expect.stringContaining("closed its stdout"),
      details: { exitCode: null },
    });
    await channel.close();
    expect(seen.lines().map(Number).filter(runs)).toEqual([]);
  });

  test("BUG-18: a server that stops reading its stdin for good is ended, and says so", async () => {
    const script = `require("fs").closeSync(0); console.log("deaf"); setInterval(() => {}, 1000)`;
    const { inbox, channel } = await open(spawn(node(script, { explainMs: 50, terminateAfterMs: 10 })));
    await inbox.received(1);
    const sent = Promise.resolve(channel.send("x".repeat(1_000_000)));
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("closed its stdin") });
    expect(await inbox.closing).toMatchObject({ message: expect.stringContaining("closed its stdin") });
  });

  test("STD-20: the same transport starts the program again", async () => {
    const transport = spawn(node(`console.log(process.pid); ${echo}`));
    const first = await open(transport);
    const pid = Number((await first.inbox.received(1))[0]);
    process.kill(pid, "SIGKILL");
    expect(await first.inbox.closing).toMatchObject({ details: { signal: "SIGKILL" } });
    const second = await open(transport);
    void second.channel.send("{}");
    expect(await second.inbox.received(2)).toEqual([expect.not.stringMatching(`^${pid}$`), "{}"]);
  });
});

describe("back-pressure", () => {
  test("a child that stops reading holds its client back, and can be closed", async () => {
    const { channel, inbox } = await open(
      spawn(node(`console.log(process.pid); setInterval(() => {}, 1000)`, { terminateAfterMs: 20 })),
    );
    const pid = Number((await inbox.received(1))[0]);
    let held: unknown;
    let sent = 0;
    for (; held === undefined; sent += 1) {
      held = channel.send("x".repeat(100_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(30);
    await channel.close();
    await expect(held).rejects.toMatchObject({ code: "CLOSED" });
    expect(runs(pid)).toBe(false);
  });

  test("a client that is held back reads no further from its child", async () => {
    const flood = `
      const line = "x".repeat(100_000) + "\\n";
      let written = 0, before = -1;
      (function more() { written += 1; process.stdout.write(line, more) })();
      setInterval(() => { if (written === before) console.error("stuck at " + written); before = written }, 100);
      process.stdin.resume()`;
    const seen = collect();
    let release = (): void => undefined;
    const inbox = createInbox(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    const { channel } = await open(spawn(node(flood, { terminateAfterMs: 20, report: seen.report })), inbox);
    await vi.waitUntil(() => seen.lines().some((line) => line.startsWith("stuck")), patiently);
    expect(inbox.frames).toHaveLength(1);
    release();
    await inbox.received(2);
    await channel.close();
  });
});
