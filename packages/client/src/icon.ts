import { LocalError } from "@parlance/jsonrpc";
import type { Icon } from "@parlance/protocol-versions";
import { readImage } from "./image.js";

/**
 * Where icons may come from, and how big they may be.
 * @stable
 */
export interface IconOptions {
  /** The address of the server, whose origin is trusted with its icons. Default: none is, so that only `data:` is left. */
  readonly server?: string | URL | undefined;
  /** Further origins, such as `https://cdn.example.com`. */
  readonly origins?: readonly string[] | undefined;
}

/**
 * How an icon is loaded.
 * @stable
 */
export interface LoadIconOptions extends IconOptions {
  /** Default 262,144. */
  readonly maxBytes?: number | undefined;
  /** The longest side, in pixels. Default 1,024. */
  readonly maxPixels?: number | undefined;
  /** Default: the global one. */
  readonly fetch?: typeof fetch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An icon that may be shown.
 * @stable
 */
export interface LoadedIcon {
  /** As its bytes say, and not its server. */
  readonly mimeType: "image/png" | "image/jpeg" | "image/webp";
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * Why an icon must not be loaded; nothing when it may be. Icons come by `https:` from their server's origin, or are
 * inline (`data:`); whatever else there is, scripts, files, programs, is refused.
 * @see MCP 2026-07-28, basic, icons, security considerations
 * @stable
 */
export function iconFault({ src }: Icon, { server, origins = [] }: IconOptions = {}): string | undefined {
  if (!URL.canParse(src)) return `${src} is no URI`;
  const { protocol, origin, username, password } = new URL(src);
  if (protocol === "data:") return /^data:image\/(png|jpe?g|webp)[;,]/i.test(src) ? undefined : "it is no inline image";
  if (protocol !== "https:") return `${protocol} is not https: or data:`;
  if (username !== "" || password !== "") return "it names a user";
  const own = server === undefined ? [] : [new URL(server).origin];
  const trusted = [...own, ...origins];
  if (trusted.includes(origin)) return undefined;
  return trusted.length === 0 ? `no origin is trusted, ${origin} too` : `${origin} is not ${trusted.join(" or ")}`;
}

/**
 * Loads an icon as the untrusted thing that it is: without credentials or a referrer, without following redirects, no
 * larger than allowed, and only if its bytes are those of a still PNG, JPEG or WebP image.
 * @throws LocalError `INVALID_ARGUMENT` when `iconFault` has something to say; `BAD_REPLY` when what came is no such image;
 * `UNREACHABLE` when nothing came
 * @see MCP 2026-07-28, basic, icons, security considerations
 * @stable
 */
export async function loadIcon(icon: Icon, options: LoadIconOptions = {}): Promise<LoadedIcon> {
  const { maxBytes = 262_144, maxPixels = 1_024, fetch: get = fetch, signal } = options;
  const fault = iconFault(icon, options);
  if (fault !== undefined) throw new LocalError("INVALID_ARGUMENT", `the icon may not be loaded: ${fault}`);
  const response = await get(icon.src, {
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new LocalError("UNREACHABLE", "the icon could not be fetched", { cause });
  });
  if (!response.ok) throw bad(`its server answered ${response.status}`);
  const bytes = await readBytes(response, maxBytes);
  const image = readImage(bytes);
  if (image === undefined) throw bad("it is no PNG, JPEG or WebP image");
  const { mimeType, width, height, isAnimated } = image;
  if (isAnimated) throw bad("it has several frames");
  if (Math.max(width, height) > maxPixels)
    throw bad(`it has ${width} × ${height} pixels, and a side may have ${maxPixels}`);
  return { mimeType, width, height, bytes };
}

async function readBytes({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    size += read.value.length;
    if (size > maxBytes) {
      await reader?.cancel();
      throw bad(`it has more than ${maxBytes} bytes`);
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function bad(what: string): LocalError {
  return new LocalError("BAD_REPLY", `the icon may not be shown: ${what}`);
}
