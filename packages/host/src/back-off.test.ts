import { expect, test } from "vitest";
import { createBackOff } from "./back-off.js";

const waits = (count: number, backOff: ReturnType<typeof createBackOff>) =>
  Array.from({ length: count }, () => backOff.next());

test("the first try is at once, the next later each time, up to the longest wait and the last try", () => {
  const backOff = createBackOff({ maxTries: 6, delayMs: 100, maxDelayMs: 500 });
  expect(waits(7, backOff)).toEqual([0, 100, 200, 400, 500, 500, undefined]);
  expect(backOff.tries).toBe(6);
});

test("by default there are five tries, and with false none", () => {
  expect(waits(6, createBackOff())).toEqual([0, 250, 500, 1_000, 2_000, undefined]);
  expect(waits(1, createBackOff(false))).toEqual([undefined]);
});

test("it begins anew when the server is well, or ran for longer than the longest wait", () => {
  const backOff = createBackOff({ maxTries: 2, maxDelayMs: 1_000 });
  expect(waits(3, backOff)).toEqual([0, 250, undefined]);
  backOff.ran(1_000);
  expect(backOff.next()).toBeUndefined();
  backOff.ran(1_001);
  expect(backOff.next()).toBe(0);
  backOff.reset();
  expect(waits(2, backOff)).toEqual([0, 250]);
});
