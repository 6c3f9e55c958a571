import { expect, test, vi } from "vitest";
import { follow, pause, until } from "./abort.js";

const never = new Promise<never>(() => {});

/** Counts the listeners of a signal. */
function watchListeners(signal: AbortSignal): () => number {
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  return () => added.mock.calls.length - removed.mock.calls.length;
}

test("all who follow a signal hear its reason, and it has one listener of theirs", () => {
  const ending = new AbortController();
  const listeners = watchListeners(ending.signal);
  const heard: unknown[] = [];
  const ends = Array.from({ length: 20 }, (_, number) =>
    follow(ending.signal, (reason) => heard.push([number, reason])),
  );
  expect(listeners()).toBe(1);
  for (const end of ends.slice(2)) end();
  ending.abort("enough");
  expect(heard).toEqual([
    [0, "enough"],
    [1, "enough"],
  ]);
});

test("a signal that nobody follows any more has no listener", () => {
  const { signal } = new AbortController();
  const listeners = watchListeners(signal);
  follow(signal, () => {})();
  expect(listeners()).toBe(0);
});

test("who follows a signal that has aborted hears it at once", () => {
  const heard: unknown[] = [];
  follow(AbortSignal.abort("before"), (reason) => heard.push(reason));
  expect(heard).toEqual(["before"]);
});

test("what is waited for settles as it does, and leaves no listener", async () => {
  const { signal } = new AbortController();
  const listeners = watchListeners(signal);
  await expect(until(Promise.resolve(1), signal)).resolves.toBe(1);
  await expect(until(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  expect(listeners()).toBe(0);
});

test("without a signal it is waited for as long as it takes", async () => {
  await expect(until(Promise.resolve(1), undefined)).resolves.toBe(1);
});

test("nothing is waited for beyond the abort, which is the reason", async () => {
  const ending = new AbortController();
  const waits = [until(never, ending.signal), pause(2_147_483_647, ending.signal)];
  ending.abort(new Error("enough"));
  for (const wait of waits) await expect(wait).rejects.toThrow("enough");
});
