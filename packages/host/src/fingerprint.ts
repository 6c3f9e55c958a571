import { createHash } from "node:crypto";
import type { ToolDefinition } from "@parlance/protocol-versions";

/**
 * What a tool was when it was first seen, by the server's id and the name that the server gives it. A `Map` is one; kept in a
 * file, it also tells what changed since the last run.
 * @stable
 */
export interface Fingerprints {
  get(key: string): string | undefined;
  set(key: string, fingerprint: string): unknown;
}

/**
 * The key of a tool in `Fingerprints`: without it there, whatever the tool is next time is taken for what it is.
 * @param tool the name that the server gives it
 * @stable
 */
export function fingerprintKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

/** A short text that is the same for the same definition, in whatever order its members came. `_meta` does not count. */
export function fingerprintOf({ _meta, ...definition }: ToolDefinition): string {
  return createHash("sha256").update(canonical(definition)).digest("base64url");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join()}}`;
}
