import type { FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { CacheHint } from "@parlance/protocol-versions";
import type { AnyResourceTemplate, ResourceReturn } from "../resources/resource.js";
import { insideRoot } from "./inside-root.js";

/**
 * How large a file may be to be read, in bytes.
 * @stable
 */
export const defaultMaxFileBytes = 10_485_760;

/**
 * Which files are resources, and how they are shown.
 * @stable
 */
export interface FileResourcesOptions {
  /** The folder. Nothing outside is read, whatever is asked for and wherever links lead. */
  readonly root: string;
  /** What stands before the path in a URI, up to a last `/`. Default: the `file:` URI of the root. */
  readonly prefix?: string | undefined;
  /** Default `"file"`. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** The type of a file by its path below the root. Default: none is told. */
  readonly mimeType?: ((path: string) => string | undefined) | undefined;
  /** Default `defaultMaxFileBytes`. */
  readonly maxBytes?: number | undefined;
  readonly cache?: CacheHint | undefined;
}

/**
 * The files of a folder as a resource template: those that are UTF-8 as text, others as bytes.
 * @stable
 */
export function fileResources(options: FileResourcesOptions): AnyResourceTemplate {
  const { root, name = "file", description, mimeType, maxBytes = defaultMaxFileBytes, cache } = options;
  const { prefix = `${pathToFileURL(resolve(root)).href}/` } = options;
  const inside = insideRoot(root);
  return {
    uriTemplate: `${prefix}{+path}`,
    name,
    description,
    cache,
    async read({ path }: { readonly path: string }): Promise<ResourceReturn> {
      const handle = await inside.open(path).catch(unlessMissing);
      if (handle === undefined) return undefined;
      try {
        const content = await readFile(handle, path, maxBytes);
        return content && { ...content, mimeType: mimeType?.(path) };
      } finally {
        await handle.close();
      }
    },
  };
}

async function readFile(
  handle: FileHandle,
  path: string,
  maxBytes: number,
): Promise<{ readonly text: string } | { readonly blob: Uint8Array } | undefined> {
  const stats = await handle.stat();
  if (!stats.isFile()) return undefined;
  if (stats.size > maxBytes) {
    const message = `the file ${JSON.stringify(path)} has ${stats.size} bytes; up to ${maxBytes} are read`;
    throw new RpcError(rpcCodes.invalidParams, message);
  }
  const bytes = await handle.readFile();
  const text = asText(bytes);
  return text === undefined ? { blob: bytes } : { text };
}

function asText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const missing: ReadonlySet<unknown> = new Set(["ENOENT", "EACCES", "EPERM", "EISDIR", "ENXIO"]);

/** What is not there, and what may not be read, are the same to a caller. */
function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && missing.has(Reflect.get(error, "code"))) return undefined;
  throw error;
}
