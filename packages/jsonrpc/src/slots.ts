/**
 * What stands in a slot, under the number that it was given.
 * @experimental
 */
export interface Numbered {
  readonly number: number;
}

/**
 * What is needed for a while, found by a number; numbers count up and none comes twice.
 *
 * A `Map` whose keys come and go is outgrown again and again, and each of its tables refers to the next: once one is old,
 * all that follow are kept, with what was in them, until the next full collection. Here the table stays the same.
 * @experimental
 */
export interface Slots<T extends Numbered> {
  readonly size: () => number;
  /** A number for `add`. */
  next(): number;
  add(value: T): void;
  get(number: unknown): T | undefined;
  /** Frees the slot. @returns what stood in it */
  take(number: unknown): T | undefined;
  /** All of it, in no order. */
  all(): readonly T[];
}

/** A power of two, so that a number finds its slot by its last bits. */
const firstLength = 64;

/**
 * Makes a table that grows as needed. A number whose slot is taken is left out.
 * @experimental
 */
export function createSlots<T extends Numbered>(): Slots<T> {
  let slots: (T | undefined)[] = empty(firstLength);
  let last = 0;
  let size = 0;

  function slotOf(number: unknown): number {
    return Number(number) & (slots.length - 1);
  }

  function get(number: unknown): T | undefined {
    const value = slots[slotOf(number)];
    return value?.number === number ? value : undefined;
  }

  function all(): T[] {
    return slots.filter((value) => value !== undefined);
  }

  function put(value: T): void {
    // half of it stays free, so that the next number is soon found; two that share a slot part in a longer table
    while (size * 2 > slots.length || slots[slotOf(value.number)] !== undefined) grow();
    slots[slotOf(value.number)] = value;
  }

  function grow(): void {
    const values = all();
    slots = empty(slots.length * 2);
    values.forEach(put);
  }

  return {
    size: () => size,
    next: () => {
      do last++;
      while (slots[slotOf(last)] !== undefined);
      return last;
    },
    add: (value) => {
      size++;
      put(value);
    },
    get,
    take: (number) => {
      const value = get(number);
      if (value === undefined) return undefined;
      slots[slotOf(number)] = undefined;
      size--;
      return value;
    },
    all,
  };
}

function empty(length: number): undefined[] {
  return Array(length).fill(undefined);
}
