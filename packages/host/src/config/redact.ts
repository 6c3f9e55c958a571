/** Shorter ones say too little to be secrets, and stand everywhere. */
const leastLength = 5;

/**
 * Takes secrets out of texts that are shown to somebody.
 * @param secrets whole, and each word of theirs: `Bearer token` hides `token` too
 */
export function createRedaction(secrets: Iterable<string>): (text: string) => string {
  const parts = [...secrets].flatMap((secret) => [secret, ...secret.split(/\s+/)]);
  // the longest first, so that none is left in part
  const hidden = [...new Set(parts)].filter(({ length }) => length >= leastLength).sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}
