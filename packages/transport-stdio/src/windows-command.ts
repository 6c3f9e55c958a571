import { win32 } from "node:path";
import type { Environment } from "./environment.js";

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
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
  const { PATH = "", PATHEXT = ".COM;.EXE;.BAT;.CMD", COMSPEC = "cmd.exe" } = variables;
  // The working directory is not searched for a bare name: whoever can write there would choose the program.
  const folders = /[\\/:]/.test(command) ? [""] : PATH.split(";").filter((folder) => folder !== "");
  // A name that has an extension is meant as it stands first; one without is no program (npm puts a shell script there).
  const names = ["", ...PATHEXT.toLowerCase().split(";")].map((extension) => command + extension).filter(win32.extname);
  const file = folders
    .flatMap((folder) => names.map((name) => win32.resolve(cwd, folder.replaceAll('"', ""), name)))
    .find(isFile);
  if (file === undefined || !/\.(?:cmd|bat)$/i.test(file)) return { file: file ?? command, args, verbatim: false };
  const line = [escapeMetacharacters(file), ...args.map(escapeArgument)].join(" ");
  if (/[\r\n]/.test(line)) throw new RangeError(`cmd.exe cannot pass on a line break: ${JSON.stringify(args)}`);
  return { file: COMSPEC, args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

/** Quotes an argument for the C runtime, then hides it twice: from cmd.exe, and from the batch file's own `%*`. */
function escapeArgument(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&")}"`;
  return escapeMetacharacters(escapeMetacharacters(quoted));
}

function escapeMetacharacters(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
