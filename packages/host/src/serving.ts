import { LocalError } from "@parlance/jsonrpc";
import { say } from "./line.js";
import { printLine } from "./print.js";

/** Set while a program serves; servers that it starts inherit it. */
export const servingVariable = "PARLANCE_SERVING";

/**
 * What a program that serves is run in.
 * @stable
 */
export interface ServeProgramOptions {
  /** Default: the environment of this process, which is also what its servers inherit. */
  readonly env?: Record<string, string | undefined> | undefined;
  /** Hears the one line that says why it did not go well. Default: a line on stderr, as stdout carries the protocol. */
  readonly print?: ((line: string) => void) | undefined;
}

/**
 * Runs a program that starts servers and serves their tools again, and says how it ended: 0 the client is done, 1 a setting or
 * an argument was refused (`INVALID_ARGUMENT`, or by `parseArgs` of Node), 2 anything else. One that is started by itself, however many processes lie
 * between, is refused too: it would start itself for ever.
 * @returns the exit code, for `process.exitCode`
 * @stable
 */
export async function serveProgram(
  name: string,
  main: () => Promise<void>,
  options: ServeProgramOptions = {},
): Promise<number> {
  const { env = process.env, print = printLine } = options;
  const marked = env[servingVariable];
  if (marked !== undefined && marked !== "") {
    print(
      `${name}: it was started by "${marked}", which serves already; take it out of the configuration that it reads`,
    );
    return 1;
  }
  env[servingVariable] = name;
  try {
    await main();
    return 0;
  } catch (error) {
    if (isRefused(error)) {
      print(`${name}: ${say(error)}`);
      return 1;
    }
    print(`${name}: unexpected error [${error instanceof Error ? error.name : typeof error}]: ${say(error)}`);
    return 2;
  } finally {
    delete env[servingVariable];
  }
}

/** A setting of ours, or an argument that `parseArgs` of Node does not know. */
function isRefused(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return (error instanceof LocalError && code === "INVALID_ARGUMENT") || code.startsWith("ERR_PARSE_ARGS_");
}
