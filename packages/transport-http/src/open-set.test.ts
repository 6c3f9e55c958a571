import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createOpenSet, type Open } from "./open-set.js";

interface Member extends Open {
  readonly heard: readonly string[];
}

function member(): Member {
  const heard: string[] = [];
  return { heard, keepAlive: () => void heard.push("tick"), abort: ({ message }) => void heard.push(message) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("members are kept alive until they leave, and what is left is cut", () => {
  const set = createOpenSet(100);
  const [leaves, stays] = [member(), member()];
  set.add(leaves);
  set.add(stays);
  vi.advanceTimersByTime(100);
  set.delete(leaves);
  vi.advanceTimersByTime(100);
  set.abort(new Error("closed"));
  expect([leaves.heard, stays.heard]).toEqual([["tick"], ["tick", "tick", "closed"]]);
  expect(vi.getTimerCount()).toBe(0);
});

test("an interval of Infinity is none", () => {
  const set = createOpenSet(Number.POSITIVE_INFINITY);
  const stays = member();
  set.add(stays);
  vi.advanceTimersByTime(86_400_000);
  set.delete(stays);
  expect(stays.heard).toEqual([]);
});

test("without members no timer is left", () => {
  const set = createOpenSet(100);
  const only = member();
  set.add(only);
  set.delete(only);
  expect(vi.getTimerCount()).toBe(0);
});
