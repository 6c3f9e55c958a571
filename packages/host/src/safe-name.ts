import { createHash } from "node:crypto";

/** What the APIs of models take. */
const longest = 64;
const hashLength = 8;

/**
 * Names that models' APIs take, one for each name, whatever the others are: a name that they would take stays as it is, any
 * other is written with `_` and cut, and gets a hash of itself at its end.
 */
export function safeNames(names: readonly string[]): ReadonlyMap<string, string> {
  const safe = new Map<string, string>();
  const given = new Set(names.filter(isSafe));
  for (const name of names) {
    const chosen = isSafe(name) ? name : unlike(name, given);
    given.add(chosen);
    safe.set(name, chosen);
  }
  return safe;
}

function isSafe(name: string): boolean {
  return /^[\w-]{1,64}$/.test(name);
}

function unlike(name: string, given: ReadonlySet<string>): string {
  const start = name.replace(/[^\w-]/g, "_").slice(0, longest - hashLength - 1);
  for (let round = 0; ; round++) {
    const hash = createHash("sha256").update(`${name}\0${round}`).digest("hex").slice(0, hashLength);
    const candidate = `${start}_${hash}`;
    if (!given.has(candidate)) return candidate;
  }
}
