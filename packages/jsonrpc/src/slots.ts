/**
 * What stands in a slot, under the number that it was given.
 * @experimental
 */
export interface Numbered {
  readonly number: number;
}

/**
 * What is needed for a while, found by a number; numbers count up and none comes twice.
 * @experimental
 */
export interface Slots<T extends Numbered> {
  readonly size: () => number;
  /** A number for `add`. */
  readonly next: () => number;
  readonly add: (value: T) => void;
  readonly get: (number: unknown) => T | undefined;
  /** Frees the slot. @returns what stood in it */
  readonly take: (number: unknown) => T | undefined;
  /** All of it, in the order in which it was added. */
  readonly all: () => readonly T[];
}

/** How many numbers a map sees, besides those that stay. */
const numbersOfMap = 250;

/**
 * Makes a table that grows as needed.
 *
 * A `Map` whose keys come and go is outgrown again and again, and each of its tables refers to the next: once one is old,
 * all that follow are kept, with what was in them, until the next full collection. A new map now and then ends the row.
 * @experimental
 */
export function createSlots<T extends Numbered>(): Slots<T> {
  let slots = new Map<unknown, T>();
  let last = 0;
  let lastOfMap = numbersOfMap;
  return {
    size: () => slots.size,
    next: () => {
      last++;
      if (last > lastOfMap) {
        slots = new Map(slots);
        lastOfMap = last + numbersOfMap + slots.size;
      }
      return last;
    },
    add: (value) => void slots.set(value.number, value),
    get: (number) => slots.get(number),
    take: (number) => {
      const value = slots.get(number);
      slots.delete(number);
      return value;
    },
    all: () => [...slots.values()],
  };
}
