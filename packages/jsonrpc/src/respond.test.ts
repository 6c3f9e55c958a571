import { expect, test, vi } from "vitest";
import { alone } from "./respond.js";

test.each<[string, () => unknown]>([
  [
    "throws",
    () => {
      throw new Error("mine");
    },
  ],
  ["rejects with", () => Promise.reject(new Error("mine"))],
])("what a callback %s goes to whoever is told, and no further", async (_, callback) => {
  const failed = vi.fn();
  alone(callback, failed);
  alone(callback);
  await vi.waitFor(() => expect(failed).toHaveBeenCalledExactlyOnceWith(new Error("mine")));
});

test("a callback is called at once, and may return anything", () => {
  const failed = vi.fn();
  const callback = vi.fn(() => null);
  alone(callback, failed);
  expect(callback).toHaveBeenCalledOnce();
  expect(failed).not.toHaveBeenCalled();
});
