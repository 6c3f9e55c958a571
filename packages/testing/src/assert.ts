/** Throws unless the two have the same JSON: the suites depend on no assertion library. */
export function assertSame(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Error(`${what}: expected ${shorten(wanted)}, got ${shorten(got)}`);
}

export function assertTrue(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

function shorten(text: string | undefined): string {
  if (text === undefined || text.length <= 200) return `${text}`;
  return `${text.slice(0, 200)}… (${text.length} characters)`;
}
