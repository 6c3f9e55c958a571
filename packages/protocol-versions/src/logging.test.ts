import { afterEach, expect, test, vi } from "vitest";
import { defaultLogRate, logging } from "./logging.js";
import { logLevels } from "./model/log-level.js";

afterEach(() => {
  vi.useRealTimers();
});

test.each(logLevels)("LOG-02: what is less severe than %s is not admitted", (level) => {
  const gate = logging().logs?.(level);
  expect(logLevels.filter((asked) => gate?.pass({ level: asked, data: 1 }))).toEqual(
    logLevels.slice(logLevels.indexOf(level)),
  );
});

test("LOG-13: of more messages in a second than the rate, the rest is dropped", () => {
  vi.useFakeTimers({ now: 5_000 });
  const gate = logging({ maxPerSecond: 2 }).logs?.("info");
  const admitted = (): readonly unknown[] => [1, 2, 3].map(() => gate?.pass({ level: "error", data: 1 }) !== undefined);
  expect(admitted()).toEqual([true, true, false]);
  vi.setSystemTime(6_000);
  expect(admitted()).toEqual([true, true, false]);
});

test("LOG-13: without a rate of its own a server logs a hundred messages a second, to each session", () => {
  vi.useFakeTimers({ now: 5_000 });
  const { logs } = logging();
  const [one, other] = [logs?.("debug"), logs?.("debug")];
  const admitted = Array.from({ length: 2 * defaultLogRate }, () => one?.pass({ level: "debug", data: 1 }));
  expect(admitted.filter(Boolean)).toHaveLength(defaultLogRate);
  expect(other?.pass({ level: "debug", data: 1 })).toEqual({ level: "debug", data: 1 });
});

test("LOG-12: what a reader must not have is taken out, and what cannot be looked through is held back", () => {
  const gate = logging({
    redact: (message) => {
      if (message.data === "broken") throw new Error("broken");
      return message.data === "private" ? undefined : { ...message, data: "***" };
    },
  }).logs?.("info");
  const sent = ["token=1", "private", "broken"].map((data) => gate?.pass({ level: "error", logger: "db", data }));
  expect(sent).toEqual([{ level: "error", logger: "db", data: "***" }, undefined, undefined]);
});
