import { expect, test } from "vitest";
import { echo, serveFeatures } from "../wire.fixture.js";
import { serve } from "./serve.js";

const signals = ["SIGINT", "SIGTERM"] as const;
const count = (): number[] => signals.map((signal) => process.listenerCount(signal));

test("a signal closes the server and then the port, once, and its own handling is back in place", async () => {
  for (const signal of signals) {
    const { handler, server } = serveFeatures(echo);
    let closed = 0;
    const before = count();
    const closing = new Promise<void>((resolve) => {
      const close = async (): Promise<void> => {
        closed += 1;
        await server.close();
        resolve();
      };
      void serve(handler, { server: { close } }).then((listening) => {
        expect(count()).toEqual(before.map((listeners) => listeners + 1));
        listening.server.once("close", () => expect(closed).toBe(1));
        // the listener itself: a real signal would also end the runner of the tests
        process.listeners(signal).at(-1)?.(signal);
      });
    });
    await closing;
    expect(count()).toEqual(before);
  }
});

test("close does what a signal does", async () => {
  const before = count();
  const listening = await serve(serveFeatures(echo).handler);
  expect(listening.url).toContain("http://127.0.0.1:");
  await listening.close();
  expect(count()).toEqual(before);
  expect(listening.server.listening).toBe(false);
});
