/**
 * All of ASCII, and beyond it of each kind that an atom can match without naming it: a space, a letter, what folds to
 * ASCII; and the end.
 */
const SAMPLES = /* @__PURE__ */ [...String.fromCharCode(...Array(128).keys(), 0xa0, 0xe9, 0x17f, 0x212a), ""];

/**
 * Tells which atoms of a pattern can match the same character, by a bit for each character of ASCII; one that names a
 * character beyond, or a property such as `\p{L}`, is taken for all that are beyond.
 */
export const setOf = (atom: string, flags: string): bigint => {
  const expression = new RegExp(`^(?:${atom})$`, flags);
  const isWide = /\\[upx]|[^\0-\x7f]/i.test(atom);
  return BigInt(`0b${SAMPLES.map((text) => Number((isWide && text > "\x7f") || expression.test(text))).join("")}`);
};
