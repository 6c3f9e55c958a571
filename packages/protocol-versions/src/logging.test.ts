import { afterEach, expect, test, vi } from "vitest";
import { handshakeServer } from "./handshake/server.js";
import { defaultLogRate, type LoggingOptions, logging } from "./logging.js";
import { type LogLevel, type LogParams, logLevels } from "./model/log-level.js";
import { complete, exchangeOn, factsOf, never, request, serve } from "./served.fixture.js";

afterEach(() => {
  vi.useRealTimers();
});

type Log = (...messages: readonly LogParams[]) => Promise<readonly unknown[]>;

/** Sessions of one server that logs: what comes of messages in each. */
function sessionsOf(options: LoggingOptions = {}): (level: LogLevel) => Promise<Log> {
  const era = handshakeServer();
  let messages: readonly LogParams[] = [];
  const facts = factsOf(
    [era],
    {
      "tools/call": async (call) => {
        for (const { level, data, logger } of messages) await call.log(level, data, logger);
        return complete({});
      },
    },
    {},
    { features: [logging(options)] },
  );
  return async (level) => {
    const on = { closed: never };
    await serve(era, request("initialize"), facts, exchangeOn(on));
    await serve(era, request("logging/setLevel", { level }), facts, exchangeOn(on));
    return async (...all) => {
      messages = all;
      const exchange = exchangeOn(on);
      await serve(era, request("tools/call"), facts, exchange);
      return exchange.sent.map(({ params }) => params);
    };
  };
}

test.each(logLevels)("LOG-02: what is less severe than %s is not admitted", async (level) => {
  const log = await sessionsOf()(level);
  const all = logLevels.map((asked) => ({ level: asked, data: 1 }));
  expect(await log(...all)).toEqual(all.slice(logLevels.indexOf(level)));
});

test("LOG-13: of more messages in a second than the rate, the rest is dropped", async () => {
  vi.useFakeTimers({ now: 5_000 });
  const log = await sessionsOf({ maxPerSecond: 2 })("info");
  const all = [1, 2, 3].map((data): LogParams => ({ level: "error", data }));
  expect(await log(...all)).toEqual(all.slice(0, 2));
  vi.setSystemTime(6_000);
  expect(await log(...all)).toEqual(all.slice(0, 2));
});

test("LOG-13: without a rate of its own a server logs a hundred messages a second, to each session", async () => {
  vi.useFakeTimers({ now: 5_000 });
  const begin = sessionsOf();
  const [one, other] = [await begin("debug"), await begin("debug")];
  const message: LogParams = { level: "debug", data: 1 };
  expect(await one(...Array.from({ length: 2 * defaultLogRate }, () => message))).toHaveLength(defaultLogRate);
  expect(await other(message)).toEqual([message]);
});

test("LOG-12: what a reader must not have is taken out, and what cannot be looked through is held back", async () => {
  const log = await sessionsOf({
    redact: (message) => {
      if (message.data === "broken") throw new Error("broken");
      return message.data === "private" ? undefined : { ...message, data: "***" };
    },
  })("info");
  const messages = ["token=1", "private", "broken"].map((data): LogParams => ({ level: "error", logger: "db", data }));
  expect(await log(...messages)).toEqual([{ level: "error", logger: "db", data: "***" }]);
});
