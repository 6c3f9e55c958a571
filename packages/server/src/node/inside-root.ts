import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import { encodedSeparator, pathFault } from "./path-fault.js";

/**
 * Keeps paths that callers name inside a folder. A path is relative to it, with `/` (on Windows also `\`) between its
 * parts; or it is a `file:` URI. Symbolic links are followed as long as they stay inside; a hard link cannot be told
 * from what it links to.
 * @stable
 */
export interface InsideRoot {
  /**
   * The real path of what a caller named; it need not exist, as long as it would be inside.
   * What stands there may be another thing a moment later: to read a file, `open` it.
   * @throws RpcError −32602 saying why it was refused
   */
  path(named: string): Promise<string>;
  /**
   * Opens what a caller named, to read. What was opened is held against what is there afterwards, so that a link put in
   * its way meanwhile is refused too. The handle is the caller's to close.
   * @throws RpcError −32602 saying why it was refused
   * @throws what `open` of Node throws: `ENOENT`, `EACCES`, …
   */
  open(named: string): Promise<FileHandle>;
}

const changed = "it changed meanwhile";
const isWindows = sep === "\\";
// Not to wait for a pipe's other end, and not to follow a link that has just taken the place of what was looked up.
const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Guards a folder, for file resources and for tools that take paths.
 * @see MCP 2026-07-28, server/resources, security considerations
 * @stable
 */
export function insideRoot(root: string): InsideRoot {
  const start = resolve(root);

  /** Where a caller's words point, before any link is followed. */
  function locate(named: string): string {
    const path = isFileUri(named) ? fromUri(named, start) : named;
    const fault = pathFault(path, isWindows);
    if (fault !== undefined) throw refused(named, fault);
    return join(start, path);
  }

  async function path(named: string): Promise<string> {
    const lexical = locate(named);
    const real = await realpath(start);
    const found = await realpathOfNew(lexical, named);
    if (!isInside(real, found)) throw refused(named, "it leads out of the root by a link");
    return found;
  }

  return {
    path,
    async open(named) {
      const found = await path(named);
      const handle = await openReal(found, named);
      try {
        if (!(await isStill(handle, found)) || (await path(named)) !== found) throw refused(named, changed);
        return handle;
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
  };
}

/** The real path of what may not exist yet: of the nearest folder that does, and the rest as it is. */
async function realpathOfNew(path: string, named: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") throw refused(named, "a part of it is no folder");
    if (codeOf(error) === "ELOOP") throw refused(named, "its links go in a circle");
    if (codeOf(error) !== "ENOENT") throw error;
    if (await exists(path)) throw refused(named, "it is a link to nowhere");
    return join(await realpathOfNew(dirname(path), named), basename(path));
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

async function openReal(path: string, named: string): Promise<FileHandle> {
  try {
    return await open(path, readOnly);
  } catch (error) {
    throw codeOf(error) === "ELOOP" ? refused(named, changed, error) : error;
  }
}

/** Linux tells what a handle is of. Elsewhere it is held against what is there now. */
async function isStill(handle: FileHandle, path: string): Promise<boolean> {
  try {
    const real = await readlink(`/proc/self/fd/${handle.fd}`);
    return real === path;
  } catch {
    const [opened, there] = await Promise.all([handle.stat({ bigint: true }), stat(path, { bigint: true })]);
    return opened.dev === there.dev && opened.ino === there.ino;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isFileUri(named: unknown): named is string {
  return typeof named === "string" && /^file:/i.test(named);
}

/** The path below the root that a `file:` URI names. Decoded once, after a look for what decoding would hide. */
function fromUri(uri: string, start: string): string {
  if (encodedSeparator.test(uri)) throw refused(uri, "it has percent-encoded separators or dots");
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch (error) {
    throw refused(uri, "it is no file: URI of this machine", error);
  }
  if (/[?#]/.test(uri) || !isInside(start, path)) throw refused(uri, "it leads out of the root");
  return relative(start, path) || ".";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}

function refused(named: unknown, why: string, cause?: unknown): RpcError {
  const message = `the path ${JSON.stringify(named)} is refused: ${why}; it should be relative and stay inside the root`;
  return new RpcError(rpcCodes.invalidParams, message, { cause });
}
