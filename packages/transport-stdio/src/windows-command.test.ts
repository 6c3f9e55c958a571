import { describe, expect, test } from "vitest";
import { resolveWindowsCommand, type WindowsCommand } from "./windows-command.js";

const files = [
  "C:\\node\\node.exe",
  "C:\\node\\npx",
  "C:\\node\\npx.cmd",
  "C:\\Program Files\\tool\\run.bat",
  "C:\\work\\local.cmd",
  "C:\\work\\bin\\mine.exe",
];

function resolve(command: string, args: readonly string[] = [], change: Partial<WindowsCommand> = {}): unknown {
  return resolveWindowsCommand({
    command,
    args,
    env: {
      Path: 'C:\\nothing;;C:\\node;"C:\\Program Files\\tool"',
      PATHEXT: ".COM;.EXE;.BAT;.CMD",
      ComSpec: "C:\\cmd.exe",
    },
    cwd: "C:\\work",
    isFile: (path) => files.some((file) => file.toLowerCase() === path.toLowerCase()),
    ...change,
  });
}

describe("finding the program", () => {
  test("a program is started directly, with its arguments as they are", () => {
    const args = ["a b", 'c"d', "%PATH%"];
    expect(resolve("node", args)).toEqual({ file: "C:\\node\\node.exe", args, verbatim: false });
  });

  test("BUG-23: a .cmd on PATH is found without its extension and given to cmd.exe", () => {
    expect(resolve("npx", ["-y", "server"])).toEqual({
      file: "C:\\cmd.exe",
      args: ["/d", "/s", "/c", '"C:\\node\\npx.cmd ^^^"-y^^^" ^^^"server^^^""'],
      verbatim: true,
    });
  });

  test("a folder on PATH may be quoted and contain a space", () => {
    expect(resolve("run.bat")).toMatchObject({ args: ["/d", "/s", "/c", '"C:\\Program^ Files\\tool\\run.bat"'] });
  });

  test("a path is taken from the working directory, with or without extension", () => {
    expect(resolve("bin\\mine")).toMatchObject({ file: "C:\\work\\bin\\mine.exe" });
    expect(resolve("./bin/mine.exe")).toMatchObject({ file: "C:\\work\\bin\\mine.exe" });
  });

  test("a bare name is never taken from the working directory", () => {
    expect(resolve("local")).toEqual({ file: "local", args: [], verbatim: false });
  });

  test("what is not found is left to the operating system to refuse", () => {
    expect(resolve("no-such", ["x"])).toEqual({ file: "no-such", args: ["x"], verbatim: false });
  });

  test("BUG-23: without PATHEXT and COMSPEC their usual values are taken", () => {
    expect(resolve("npx", [], { env: { PATH: "C:\\node" } })).toMatchObject({ file: "cmd.exe" });
  });
});

describe("BUG-27: arguments of a batch file", () => {
  /** What cmd.exe makes of a line: carets escape outside quotes, and unescaped quotes open and close. */
  function parse(line: string): string {
    let quoted = false;
    let out = "";
    for (let at = 0; at < line.length; at += 1) {
      const char = line.charAt(at);
      if (char === "^" && !quoted) {
        at += 1;
        out += line.charAt(at);
        continue;
      }
      if (char === '"') quoted = !quoted;
      if (!quoted && char !== '"' && "&|<>%!".includes(char))
        throw new Error(`cmd.exe would act on ${char} in ${line}`);
      out += char;
    }
    return out;
  }

  /** What the C runtime makes of a command line. */
  function split(line: string): readonly string[] {
    const found: string[] = [];
    let current: string | undefined;
    let quoted = false;
    for (let at = 0; at < line.length; at += 1) {
      const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
      if (slashes > 0 && line.charAt(at + slashes) === '"') {
        current = (current ?? "") + "\\".repeat(slashes >> 1);
        at += slashes;
        if (slashes % 2 === 1) current += '"';
        else quoted = !quoted;
      } else if (line.charAt(at) === '"') {
        quoted = !quoted;
        current ??= "";
      } else if (line.charAt(at) === " " && !quoted) {
        if (current !== undefined) found.push(current);
        current = undefined;
      } else current = (current ?? "") + line.charAt(at);
    }
    return current === undefined ? found : [...found, current];
  }

  test.each([
    [["a b", 'c"d', "%PATH%", "$HOME", "&echo x"]],
    [["", "(x)", "a^b", "<in>", "|more", "!delayed!", "tab\tand;comma,", "漢字"]],
    [["C:\\path\\", 'end\\"', '\\\\"quoted\\\\"', "\\"]],
    [['" & calc & "', '"%COMSPEC%"', '^" & calc']],
  ])("BUG-27: %j arrive unchanged, and cmd.exe acts on none of it", (args) => {
    const resolved = resolveWindowsCommand({
      command: "npx",
      args,
      env: { PATH: "C:\\node" },
      cwd: "C:\\work",
      isFile: (path) => path === "C:\\node\\npx.cmd",
    });
    const line = resolved.args.at(-1)?.slice(1, -1) ?? "";
    const own = parse(line);
    expect(own.startsWith("C:\\node\\npx.cmd")).toBe(true);
    expect(split(parse(own.slice("C:\\node\\npx.cmd ".length)))).toEqual(args);
  });

  test("BUG-27: a line break, which cmd.exe cannot pass on, is refused", () => {
    expect(() => resolve("npx", ["a\nb"])).toThrow(RangeError);
    expect(resolve("node", ["a\nb"])).toMatchObject({ args: ["a\nb"] });
  });
});
