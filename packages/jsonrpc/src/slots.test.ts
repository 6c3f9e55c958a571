import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSlots } from "./slots.js";

describe("slots", () => {
  test("hold what a map would, under numbers that only grow", () => {
    const step = fc.oneof({ weight: 3, arbitrary: fc.constant("add" as const) }, { weight: 2, arbitrary: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 1_000, size: "max" }), (steps) => {
        const slots = createSlots();
        const map = new Map<number, { readonly number: number }>();
        let last = 0;
        for (const one of steps) {
          if (one === "add") {
            const number = slots.next();
            expect(number).toBeGreaterThan(last);
            last = number;
            slots.add({ number });
            map.set(number, { number });
          } else {
            const number = [...map.keys()][one % (map.size + 1)] ?? one;
            expect(slots.get(number)).toEqual(map.get(number));
            expect(slots.take(number)).toEqual(map.get(number));
            map.delete(number);
            expect(slots.take(number)).toBeUndefined();
          }
          expect(slots.size()).toBe(map.size);
        }
        expect(slots.all()).toEqual([...map.values()]);
      }),
      { numRuns: 50 },
    );
  });

  test("count one by one, whatever stays", () => {
    const slots = createSlots();
    const first = slots.next();
    slots.add({ number: first });
    const given = Array.from({ length: 200 }, () => {
      const number = slots.next();
      slots.add({ number });
      slots.take(number);
      return number;
    });
    expect(given.slice(0, 3)).toEqual([2, 3, 4]);
    expect(slots.all()).toEqual([{ number: first }]);
    expect(new Set(given).size).toBe(200);
  });

  test("numbers that were given out may be set in any order", () => {
    const slots = createSlots();
    const numbers = Array.from({ length: 300 }, () => slots.next());
    for (const number of numbers.toReversed()) slots.add({ number });
    expect(slots.all()).toHaveLength(numbers.length);
    expect(numbers.every((number) => slots.get(number)?.number === number)).toBe(true);
  });

  test("only numbers are found", () => {
    const slots = createSlots();
    slots.add({ number: slots.next() });
    for (const other of ["1", undefined, null, 1.5, 0, -1, 65, Number.NaN, Number.POSITIVE_INFINITY, [1]]) {
      expect(slots.get(other)).toBeUndefined();
      expect(slots.take(other)).toBeUndefined();
    }
    expect(slots.size()).toBe(1);
  });
});
