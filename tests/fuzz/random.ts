/** Numbers that come again with the same seed. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  pick<T>(list: readonly T[]): T;
  /** `true` once in so many times. */
  oneIn(times: number): boolean;
}

/** Mulberry32: a few operations a number, and good enough to shuffle with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  function below(bound: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  return {
    below,
    pick: (list) => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new RangeError("nothing to pick from");
      return picked;
    },
    oneIn: (times) => below(times) === 0,
  };
}
