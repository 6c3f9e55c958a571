import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDeadlines } from "./deadlines.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function deadline(ms: number): { number: number; at: number; expire: () => void } {
  return { number: 0, at: performance.now() + ms, expire: vi.fn<() => void>() };
}

test("deadlines of all lengths end in time, on one timer", () => {
  const deadlines = createDeadlines();
  const [long, short, dropped] = [deadline(1_000), deadline(10), deadline(20)];
  for (const one of [long, short, dropped]) deadlines.add(one);
  expect(vi.getTimerCount()).toBe(1);
  deadlines.drop(dropped);
  vi.advanceTimersByTime(9);
  expect(short.expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(short.expire).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(989);
  expect(long.expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(long.expire).toHaveBeenCalledOnce();
  expect(dropped.expire).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test("a deadline that moved away ends at its later time", () => {
  const deadlines = createDeadlines();
  const moving = deadline(100);
  deadlines.add(moving);
  vi.advanceTimersByTime(60);
  moving.at += 60;
  vi.advanceTimersByTime(99);
  expect(moving.expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(moving.expire).toHaveBeenCalledOnce();
});

test("one that is added while others end is not lost", () => {
  const deadlines = createDeadlines();
  const next = vi.fn<() => void>();
  const now = performance.now();
  deadlines.add({
    number: 0,
    at: now + 10,
    expire: () => deadlines.add({ number: 0, at: performance.now() + 5, expire: next }),
  });
  deadlines.add({ number: 0, at: now + 1_000, expire: () => {} });
  vi.advanceTimersByTime(15);
  expect(next).toHaveBeenCalledOnce();
});

test("a wait longer than a timer can be is made of several", () => {
  const deadlines = createDeadlines();
  const far = deadline(3 * 2_147_483_647);
  deadlines.add(far);
  vi.advanceTimersByTime(3 * 2_147_483_647 - 1);
  expect(far.expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(far.expire).toHaveBeenCalledOnce();
});

test("once the last of them is dropped, the timer keeps no process from ending", () => {
  const set = vi.spyOn(globalThis, "setTimeout");
  const deadlines = createDeadlines();
  const [first, second] = [deadline(10), deadline(20)];
  for (const one of [first, second]) deadlines.add(one);
  const timer = set.mock.results[0]?.value;
  deadlines.drop(first);
  expect(timer.hasRef()).toBe(true);
  deadlines.drop(second);
  expect(timer.hasRef()).toBe(false);
  deadlines.add(second);
  expect(timer.hasRef()).toBe(true);
  expect(set).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(20);
  expect(second.expire).toHaveBeenCalledOnce();
  expect(first.expire).not.toHaveBeenCalled();
});

test("nothing is left once all is closed, whichever comes last", () => {
  const deadlines = createDeadlines();
  const [first, second] = [deadline(10), deadline(20)];
  deadlines.add(first);
  deadlines.drop(first);
  deadlines.close();
  expect(vi.getTimerCount()).toBe(0);
  deadlines.add(second);
  deadlines.drop(second);
  expect(vi.getTimerCount()).toBe(0);
});

test("where timers are numbers, nothing is left once the last of them is dropped", () => {
  const numbered = globalThis.setTimeout;
  const set = vi.spyOn(globalThis, "setTimeout");
  set.mockImplementation(((act: () => void, ms: number) => Number(numbered(act, ms))) as never);
  const deadlines = createDeadlines();
  const one = deadline(10);
  deadlines.add(one);
  deadlines.drop(one);
  expect(vi.getTimerCount()).toBe(0);
  deadlines.add(one);
  vi.advanceTimersByTime(10);
  expect(one.expire).toHaveBeenCalledOnce();
});

test("one that moved to earlier and is added again ends then", () => {
  const deadlines = createDeadlines();
  const moving = { number: 0, at: Number.POSITIVE_INFINITY, expire: vi.fn() };
  deadlines.add(moving);
  expect(vi.getTimerCount()).toBe(0);
  moving.at = performance.now() + 10;
  deadlines.add(moving);
  vi.advanceTimersByTime(10);
  expect(moving.expire).toHaveBeenCalledOnce();
});

test("whom another's end drops does not end, and the others are still told", () => {
  const deadlines = createDeadlines();
  const at = performance.now() + 10;
  const [dropped, last] = [
    { number: 0, at, expire: vi.fn() },
    { number: 0, at, expire: vi.fn() },
  ];
  deadlines.add({ number: 0, at, expire: () => deadlines.drop(dropped) });
  deadlines.add(dropped);
  deadlines.add(last);
  vi.advanceTimersByTime(20);
  expect(dropped.expire).not.toHaveBeenCalled();
  expect(last.expire).toHaveBeenCalledOnce();
  deadlines.drop(dropped);
  expect(vi.getTimerCount()).toBe(0);
});
