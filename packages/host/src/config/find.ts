import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { LocalError } from "@parlance/jsonrpc";
import { isJsonObject } from "@parlance/protocol-versions";
import { printLine } from "../print.js";
import type { HostConfig } from "./entry.js";
import { readConfig } from "./read.js";

/** What the file is called, in a project and below the user's settings. */
const fileName = "parlance.json";
/** The variable that names a file. */
const variable = "PARLANCE_CONFIG";

/**
 * Where a configuration is looked for.
 * @stable
 */
export interface FindOptions {
  /** A file that was asked for; then no other is looked for. */
  readonly flag?: string | undefined;
  /** Where to begin. Default: the working folder. */
  readonly cwd?: string | undefined;
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Hears which file is used. Default: a line on stderr. */
  readonly print?: ((line: string) => void) | undefined;
}

/**
 * A configuration, and the file that it is from.
 * @stable
 */
export interface FoundConfig {
  readonly path: string;
  readonly config: HostConfig;
}

/**
 * Finds and reads the configuration: the file that `flag` names, or `parlance.json` in the working folder or one above it, or
 * the user's own (`~/.config/parlance/parlance.json`), or the file that the variable `PARLANCE_CONFIG` names. The first is
 * used, alone. A configuration starts programs: read it before you start what a folder of somebody else's holds.
 * @returns nothing when there is none
 * @throws LocalError `INVALID_ARGUMENT` when a named file is not there, or what it holds is wrong
 * @stable
 */
export function findConfig(options: FindOptions = {}): FoundConfig | undefined {
  const { flag, cwd = process.cwd(), env = process.env, print = printLine } = options;
  for (const { path, named } of places(flag, cwd, env)) {
    const text = textOf(path, named);
    if (text === undefined) continue;
    print(`using the configuration ${path}`);
    const parsed = parse(path, text);
    const config = readConfig(parsed, { env, source: path });
    if (!hasServers(parsed)) print(`${path} names no servers: it has neither the key "servers" nor "mcpServers"`);
    return { path, config };
  }
  return undefined;
}

/** A place, and what named it if something did: then it must be there. */
interface Place {
  readonly path: string;
  readonly named?: string | undefined;
}

function* places(flag: string | undefined, cwd: string, env: FindOptions["env"] & object): Iterable<Place> {
  if (flag !== undefined) {
    yield { path: resolve(cwd, flag), named: "it was asked for" };
    return;
  }
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    yield { path: join(folder, fileName) };
    if (folder === dirname(folder)) break;
  }
  yield { path: join(userFolder(env), "parlance", fileName) };
  const named = env[variable];
  if (named !== undefined && named !== "") yield { path: resolve(cwd, named), named: `${variable} names it` };
}

function userFolder(env: FindOptions["env"] & object): string {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? homedir();
  return env["XDG_CONFIG_HOME"] ?? env["APPDATA"] ?? join(home, ".config");
}

function textOf(path: string, named: string | undefined): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (named === undefined && (code === "ENOENT" || code === "ENOTDIR")) return undefined;
    const why = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
    const told = named === undefined ? "" : `, and ${named}`;
    throw new LocalError("INVALID_ARGUMENT", `${path}: ${why}${told}`, { cause, details: { path } });
  }
}

/** Whether it says which servers, be it none. */
export function hasServers(config: unknown): boolean {
  return isJsonObject(config) && (config["servers"] !== undefined || config["mcpServers"] !== undefined);
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    // the parser's own message quotes the text, which may hold secrets
    const at = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
    const line = at === undefined ? "" : ` at line ${text.slice(0, Number(at)).split("\n").length}`;
    throw new LocalError("INVALID_ARGUMENT", `${path}: is no JSON${line}`, { details: { path } });
  }
}
