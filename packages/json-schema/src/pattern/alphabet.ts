/** Beyond ASCII: white space and line ends, and a letter of each of a few scripts. */
const BEYOND_ASCII = "\u00a0\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeffé\u017f\u212aЖ中\u{1f600}";
const ESCAPED = /\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\x([\da-f]{2})/gi;

/**
 * Tells which atoms of a pattern can match the same character. Characters are sampled: all of ASCII, and of the rest
 * those that the pattern names with their neighbours, since two ranges overlap only if they do at an end of one.
 */
export function createAlphabet(source: string, flags: string): (atom: string) => bigint {
  const named = source.replace(ESCAPED, (_, ...hex) => String.fromCodePoint(Number.parseInt(hex.find(Boolean), 16)));
  const points = new Set(Array.from({ length: 128 }, (_, point) => point));
  for (const character of [...BEYOND_ASCII, ...named, ...named.split("")]) {
    const point = character.codePointAt(0) ?? 0;
    for (const near of [point - 1, point, point + 1]) if (near >= 0 && near <= 0x10ffff) points.add(near);
  }
  const samples = [...points].map((point) => String.fromCodePoint(point));
  const sets = new Map<string, bigint>();

  function setOf(atom: string): bigint {
    const expression = new RegExp(`^(?:${atom})$`, flags);
    // a property such as \p{L} is taken for everything beyond ASCII
    const isWide = /\\p|\[\^\]/i.test(atom);
    const has = (sample: string): number => Number((isWide && sample > "\x7f") || expression.test(sample));
    return BigInt(`0b${samples.map(has).join("")}`);
  }

  return (atom) => {
    const set = sets.get(atom) ?? setOf(atom);
    sets.set(atom, set);
    return set;
  };
}
