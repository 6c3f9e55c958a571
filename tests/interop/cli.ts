import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, Driver, Program } from "./driver.js";
import { type OpenUrl, thenAlways } from "./served.js";

/** A client that is a command line: each call is a process, with the text it reads and what it printed. */
type Run = (args: readonly string[], stdin?: string, signal?: AbortSignal) => Promise<string>;

interface Printed {
  readonly content: readonly { readonly text?: string }[];
  readonly isError?: boolean;
}

/** Keeps the connection in a process of its own, under a name. */
export function mcpc(file: string): OpenUrl {
  return opened(process.execPath, file, async (run, url) => {
    const session = "@interop";
    const { protocolVersion } = JSON.parse(await run(["connect", url, session, "--json"]));
    return {
      era: "handshake",
      version: protocolVersion,
      list: async () => names(await run([session, "tools-list", "--json"])),
      call: async (name, args, { signal } = {}) =>
        answer(await run([session, "tools-call", name, "--json"], JSON.stringify(args), signal)),
      isTimeout: () => false,
      close: async () => {
        await run(["close", session]);
        await run(["clean", "all"]);
      },
    };
  });
}

/** Connects anew for each call. `era` is its own word for what it is to speak. */
export function inspector(node: string, file: string, era: "legacy" | "modern"): OpenUrl {
  return opened(node, file, async (run, url) => {
    const at = ["--cli", url, "--transport", "http", "--protocol-era", era, "--quiet"];
    const call: Driver["call"] = async (name, args, { signal } = {}) => {
      const tool = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)];
      return answer(await run([...at, ...tool], undefined, signal));
    };
    const { version } = JSON.parse((await call("stats", {})).text);
    return {
      era: era === "modern" ? "stateless" : "handshake",
      version,
      list: async () => names(JSON.parse(await run([...at, "--method", "tools/list"])).tools),
      call,
      isTimeout: () => false,
      close: async () => {},
    };
  });
}

/** With a home of its own, so that nothing is kept between runs, nor found from before. */
function opened(node: string, file: string, open: (run: Run, url: string) => Promise<Driver>): OpenUrl {
  return async (url, env) => {
    const home = await mkdtemp(join(tmpdir(), "parlance-interop-cli-"));
    const remove = (): Promise<void> => rm(home, { recursive: true, force: true });
    try {
      const program: Program = { command: node, args: [file], env: { ...env, HOME: home, MCPC_HOME_DIR: home } };
      const driver = await open((args, stdin, signal) => runOnce(program, args, stdin, signal), url);
      return { ...driver, close: () => thenAlways(driver.close(), remove) };
    } catch (error) {
      await remove();
      throw error;
    }
  };
}

/** Resolves with what was printed, also when the program says that the tool failed. */
function runOnce({ command, args, env }: Program, more: readonly string[], stdin = "", signal?: AbortSignal) {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(command, [...args, ...more], { env: { ...process.env, ...env }, signal });
    const printed = { out: "", error: "" };
    child.stdout.on("data", (chunk) => (printed.out += chunk));
    child.stderr.on("data", (chunk) => (printed.error += chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0 || printed.out.includes('"content"')) resolve(printed.out);
      else reject(new Error(`${more.join(" ")} ended with ${code}: ${printed.error}${printed.out}`));
    });
    child.stdin.end(stdin);
  });
}

function answer(printed: string): Answer {
  const { content, isError = false }: Printed = JSON.parse(printed);
  return { text: content.map(({ text = "" }) => text).join("\n"), isError };
}

function names(tools: string | readonly { readonly name: string }[]): readonly string[] {
  const listed: readonly { readonly name: string }[] = typeof tools === "string" ? JSON.parse(tools) : tools;
  return listed.map(({ name }) => name);
}
