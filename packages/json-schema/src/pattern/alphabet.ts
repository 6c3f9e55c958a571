/** Beyond ASCII: white space and line ends, and a letter of each of a few scripts. */
const BEYOND_ASCII = "\u00a0\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeffé\u017f\u212aЖ中\u{1f600}";
const ESCAPED = /\\u(d[89ab]..)\\u(d[c-f]..)|\\u\{([\da-f]+)\}|\\[ux]([\da-f]{2,4})/gi;

/**
 * Tells which atoms of a pattern can match the same character. Characters are sampled: all of ASCII, and of the rest
 * those that the pattern names with their neighbours, since two ranges overlap only if they do at an end of one.
 */
export function createAlphabet(source: string, flags: string): (atom: string) => bigint {
  const points = new Set<number>();
  const add = (text: string): void => {
    const point = text.codePointAt(0) ?? 0;
    for (const near of [point - 1, point, point + 1]) if (near >= 0 && near <= 0x10ffff) points.add(near);
  };
  for (let point = 0; point < 128; point++) points.add(point);
  for (const text of [...BEYOND_ASCII, ...source, ...source.split("")]) add(text);
  for (const [, high, low, braced, plain] of source.matchAll(ESCAPED)) {
    for (const hex of [high, low, braced, plain])
      if (hex !== undefined) add(String.fromCodePoint(Number.parseInt(hex, 16)));
    if (high !== undefined) add(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(String(low), 16)));
  }
  const samples = [...points].map((point) => String.fromCodePoint(point));
  const sets = new Map<string, bigint>();

  function setOf(atom: string): bigint {
    const expression = new RegExp(`^(?:${atom})$`, flags);
    // a property such as \p{L} is taken for everything beyond ASCII
    const isWide = /\\p|\[\^\]/i.test(atom);
    return BigInt(
      `0b${samples.map((sample) => Number((isWide && sample > "\x7f") || expression.test(sample))).join("")}`,
    );
  }

  return (atom) => {
    const known = sets.get(atom) ?? setOf(atom);
    sets.set(atom, known);
    return known;
  };
}
