import type { JsonObject, Principal } from "@parlance/jsonrpc";
import type { Call } from "@parlance/protocol-versions";

/**
 * A call before it runs, for somebody who may block it.
 * @stable
 */
export interface GuardedCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** Who calls, by an authenticated name or the one that the pipeline gives: never the one that the caller gives itself. */
  readonly caller: string;
  readonly principal?: Principal | undefined;
  readonly call: Call;
}

/**
 * Says why a call must not run, or nothing. One that throws blocks the call.
 * @stable
 */
export type Guard = (call: GuardedCall) => string | undefined | Promise<string | undefined>;

/**
 * A guard against arguments that lead out of a folder: a text with a `..` between slashes, encoded or not, or with a NUL.
 * @stable
 */
export function refuseTraversal(): Guard {
  return ({ args }) => {
    const at = findTraversal(args, "");
    return at === undefined ? undefined : `the argument ${at} leads out of the folder`;
  };
}

/** Where such a text stands. */
function findTraversal(value: unknown, path: string): string | undefined {
  if (typeof value === "string") return leadsOut(value) ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = findTraversal(inner, path === "" ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function leadsOut(text: string): boolean {
  const plain = text.replace(/%(2e|2f|5c|00)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.includes("\0") || /(^|[\\/])\.\.([\\/]|$)/.test(plain);
}
