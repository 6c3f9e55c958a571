import { win32 } from "node:path";
import { type Environment, variable } from "./environment.js";

/** What is really started, and whether `args` are already a command line. */
export interface ResolvedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

/** A command as it was asked for, and what its lookup depends on. */
export interface WindowsCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  /** Whether a path names a file. */
  readonly isFile: (path: string) => boolean;
}

/**
 * Finds what Windows would run for a command: `CreateProcess` looks only for `.exe`, while `npx` and most other shims are
 * `.cmd` files, which only cmd.exe can run. Not found: the command as it is, for the operating system to refuse.
 * @throws RangeError for an argument that cmd.exe cannot pass on
 */
export function resolveWindowsCommand({ command, args, env, cwd, isFile }: WindowsCommand): ResolvedCommand {
  const found = candidates(command, env, cwd).find(isFile);
  if (!/\.(?:cmd|bat)$/i.test(found ?? "")) return { file: found ?? command, args, verbatim: false };
  const [program = "", ...words] = [win32.normalize(found ?? ""), ...args];
  const unsafe = [program, ...words].find((part) => /[\r\n\0]/.test(part));
  if (unsafe !== undefined) {
    throw new RangeError(`${JSON.stringify(unsafe)} contains a line break, which cmd.exe cannot pass on to ${program}`);
  }
  const line = [escapeMetacharacters(program), ...words.map(escapeArgument)].join(" ");
  return { file: variable(env, "COMSPEC") ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

function candidates(command: string, env: Environment, cwd: string): readonly string[] {
  const listed = (name: string, otherwise: string): readonly string[] =>
    (variable(env, name) ?? otherwise).split(";").filter((part) => part !== "");
  const names = listed("PATHEXT", ".COM;.EXE;.BAT;.CMD").map((extension) => command + extension.toLowerCase());
  // A name that has an extension is meant as it stands first; one without is no program on Windows (npm puts a shell script there).
  if (win32.extname(command) !== "") names.unshift(command);
  if (/[\\/:]/.test(command)) return names.map((name) => win32.resolve(cwd, name));
  // The working directory is not searched: whoever can write there would choose the program.
  return listed("PATH", "").flatMap((folder) => names.map((name) => win32.join(folder.replace(/^"|"$/g, ""), name)));
}

/** Quotes an argument for the C runtime, then hides it twice: from cmd.exe, and from the batch file's own `%*`. */
function escapeArgument(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
  return escapeMetacharacters(escapeMetacharacters(quoted));
}

function escapeMetacharacters(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
