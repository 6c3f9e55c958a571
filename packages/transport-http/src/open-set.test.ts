import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createOpenSet, type Open } from "./open-set.js";

interface Member extends Open {
  readonly heard: readonly string[];
}

function member(): Member {
  const heard: string[] = [];
  return { heard, keepAlive: () => void heard.push("tick"), abort: ({ message }) => void heard.push(message) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe.each([
  ["one timer", true],
  ["a timer each", false],
])("with %s", (_, oneTimer) => {
  test("members are kept alive until they leave, and what is left is cut", () => {
    const set = createOpenSet(100, oneTimer);
    const [leaves, stays] = [member(), member()];
    set.add(leaves);
    set.add(stays);
    vi.advanceTimersByTime(100);
    set.delete(leaves);
    vi.advanceTimersByTime(100);
    set.abort(new Error("closed"));
    expect([leaves.heard, stays.heard]).toEqual([["tick"], ["tick", "tick", "closed"]]);
  });

  test("without members no timer is left", () => {
    const set = createOpenSet(100, oneTimer);
    const only = member();
    set.add(only);
    set.delete(only);
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test.each([
  ["Cloudflare-Workers", 2],
  ["Node.js/24", 1],
])("on %s two members take %i timers", (userAgent, timers) => {
  vi.stubGlobal("navigator", { userAgent });
  const set = createOpenSet(100);
  set.add(member());
  set.add(member());
  expect(vi.getTimerCount()).toBe(timers);
});
