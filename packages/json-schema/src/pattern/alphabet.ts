/** White space and line ends beyond ASCII, and a letter of each of a few scripts. */
const BEYOND_ASCII = "\u00a0\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeffé\u017f\u212aЖ中\u{1f600}";
const NUMBERED = /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|\\u\{([\da-f]+)\}|\\[ux]([\da-f]{2,4})/gi;
const FULL = /\\[pP]\{|\[\^\]/;

/**
 * Tells which atoms of a pattern can match the same character. Characters are sampled: all of ASCII, and of the rest
 * those that the pattern names with their neighbours. Ranges overlap if and only if they do at one of their ends.
 */
export function createAlphabet(source: string, flags: string): (atom: string) => bigint {
  const samples = samplesFor(source);
  const sets = new Map<string, bigint>();
  return (atom) => {
    const known = sets.get(atom);
    if (known !== undefined) return known;
    const expression = atom.length > 1 || atom === "." ? new RegExp(`^(?:${atom})$`, flags) : undefined;
    // a property such as \p{L} is taken for everything beyond ASCII
    const isFull = FULL.test(atom);
    const bits = samples.map((sample) => {
      if (expression === undefined) return sample === atom ? "1" : "0";
      return (isFull && sample > "\x7f") || expression.test(sample) ? "1" : "0";
    });
    const set = BigInt(`0b${bits.join("")}`);
    sets.set(atom, set);
    return set;
  };
}

function samplesFor(source: string): string[] {
  const points = new Set<number>();
  const add = (point: number): void => {
    for (const near of [point - 1, point, point + 1]) if (near >= 0 && near <= 0x10ffff) points.add(near);
  };
  for (let point = 0; point < 128; point++) points.add(point);
  for (const character of [...BEYOND_ASCII, ...source, ...source.split("")]) add(character.codePointAt(0) ?? 0);
  for (const [, high, low, braced, plain] of source.matchAll(NUMBERED)) {
    for (const hex of [high, low, braced, plain]) if (hex !== undefined) add(Number.parseInt(hex, 16));
    if (high !== undefined) add(JSON.parse(`"\\u${high}\\u${low}"`).codePointAt(0));
  }
  return [...points].map((point) => String.fromCodePoint(point));
}
