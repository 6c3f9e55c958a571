import { afterEach, expect, test, vi } from "vitest";
import { defaultLogRate, logging } from "./logging.js";
import { logLevels } from "./model/log-level.js";

afterEach(() => {
  vi.useRealTimers();
});

test.each(logLevels)("LOG-02: what is less severe than %s is not admitted", (level) => {
  const gate = logging().logs?.(level);
  expect(logLevels.filter((asked) => gate?.admits(asked))).toEqual(logLevels.slice(logLevels.indexOf(level)));
});

test("LOG-13: of more messages in a second than the rate, the rest is dropped", () => {
  vi.useFakeTimers({ now: 5_000 });
  const gate = logging({ maxPerSecond: 2 }).logs?.("info");
  const admitted = (): readonly unknown[] => [1, 2, 3].map(() => gate?.admits("error"));
  expect(admitted()).toEqual([true, true, false]);
  vi.setSystemTime(6_000);
  expect(admitted()).toEqual([true, true, false]);
});

test("LOG-13: without a rate of its own a server logs a hundred messages a second, to each session", () => {
  vi.useFakeTimers({ now: 5_000 });
  const { logs } = logging();
  const [one, other] = [logs?.("debug"), logs?.("debug")];
  const admitted = Array.from({ length: 2 * defaultLogRate }, () => one?.admits("debug"));
  expect(admitted.filter(Boolean)).toHaveLength(defaultLogRate);
  expect(other?.admits("debug")).toBe(true);
});
