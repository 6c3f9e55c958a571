import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { type Annotations, checkMeta, type Icon } from "@parlance/protocol-versions";

/**
 * What can be said of anything that is listed.
 * @stable
 */
export interface Described {
  /** The name for people. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  /** Listed as `_meta`. */
  readonly meta?: JsonObject | undefined;
}

/**
 * The members that every definition has, checked.
 * @throws LocalError `INVALID_ARGUMENT` naming the member, its value and what would be right
 * @see MCP 2025-11-25, basic, icons and _meta
 */
export function describe(
  what: string,
  { title, description, icons, meta }: Described,
): Described & { readonly _meta?: JsonObject | undefined } {
  for (const [index, icon] of icons?.entries() ?? []) checkIcon(`icons[${index}] of ${what}`, icon);
  if (meta !== undefined) checkMeta(meta);
  return { title, description, icons, _meta: meta };
}

const iconSource = /^(?:https?:\/\/|data:)/i;
const iconSize = /^(?:\d+x\d+|any)$/;
const themes: readonly unknown[] = ["light", "dark", undefined];

function checkIcon(what: string, { src, mimeType, sizes, theme }: Icon): void {
  if (typeof src !== "string" || !iconSource.test(src)) throw wrong(`src in ${what}`, src, "an http(s): or data: URI");
  if (mimeType !== undefined && typeof mimeType !== "string") throw wrong(`mimeType in ${what}`, mimeType, "a text");
  if (sizes !== undefined && !(Array.isArray(sizes) && sizes.every((size) => iconSize.test(size))))
    throw wrong(`sizes in ${what}`, sizes, 'a list of sizes such as "48x48", or "any"');
  if (!themes.includes(theme)) throw wrong(`theme in ${what}`, theme, '"light" or "dark"');
}

const dateTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Holds annotations to the protocol's ranges.
 * @throws LocalError `INVALID_ARGUMENT`
 * @see MCP 2026-07-28, schema, Annotations
 */
export function checkAnnotations(what: string, { audience, priority, lastModified }: Annotations): void {
  if (audience !== undefined && !(Array.isArray(audience) && audience.every(isRole)))
    throw wrong(`annotations.audience of ${what}`, audience, 'a list of "user" and "assistant"');
  if (priority !== undefined && !(priority >= 0 && priority <= 1))
    throw wrong(`annotations.priority of ${what}`, priority, "a number from 0 to 1");
  if (lastModified !== undefined && !(dateTime.test(lastModified) && !Number.isNaN(Date.parse(lastModified))))
    throw wrong(
      `annotations.lastModified of ${what}`,
      lastModified,
      'a time in ISO 8601, such as "2025-01-12T15:00:58Z"',
    );
}

function isRole(value: unknown): boolean {
  return value === "user" || value === "assistant";
}

/** An author's mistake, named. */
export function wrong(what: string, value: unknown, right: string): LocalError {
  return new LocalError("INVALID_ARGUMENT", `${what} is ${JSON.stringify(value)}, and should be ${right}`);
}
