import { batches, type Connection, type RpcRequest } from "@parlance/jsonrpc";
import { describe, expect, test } from "vitest";
import { announcing } from "./announcing.js";
import { handshakeServer } from "./handshake/server.js";
import { logging } from "./logging.js";
import { questions } from "./questions.js";
import { complete, exchangeOn, factsOf, never, refusal, request, serve, stateless } from "./served.fixture.js";
import { statelessServer } from "./stateless/server.js";
import { watching } from "./watching.js";

const long = "two\nlines ".repeat(10_000);
const short = /^[^\n]{1,199}$/;
const modern = statelessServer();
const legacy = handshakeServer({ batches });
const hears = { ...announcing, capabilities: {}, methods: {}, watching: watching(() => () => {}) };
const facts = factsOf(
  [modern, legacy],
  { "tools/call": () => complete({}) },
  {},
  { features: [logging(), questions(), hears] },
);

const statelessRequests: Readonly<Record<string, RpcRequest>> = {
  "a method": stateless(long),
  "a version": stateless("tools/call", {}, { "io.modelcontextprotocol/protocolVersion": long }),
  "the version of an initialize": request("initialize", { protocolVersion: long }),
  "a log level": stateless("tools/call", {}, { "io.modelcontextprotocol/logLevel": long }),
  "a progress token": stateless("tools/call", {}, { progressToken: [long] }),
  answers: stateless("tools/call", { inputResponses: [long] }),
  "a state": stateless("tools/call", { requestState: [long] }),
  "no envelope": request(long),
};

const sessionRequests: Readonly<Record<string, RpcRequest>> = {
  "a method": request(long),
  "a log level": request("logging/setLevel", { level: long }),
  "a progress token": request("tools/call", { _meta: { progressToken: [long] } }),
  "a resource to watch": request("resources/subscribe", { uri: [long] }),
  "a resource to watch no more": request("resources/unsubscribe", { uri: [long] }),
};

describe("JR-12: a refusal is one short line, however long what is refused:", () => {
  test.each(Object.entries(statelessRequests))("%s, in the stateless era", async (_, message) => {
    expect((await refusal(modern, message, facts)).message).toMatch(short);
  });

  test.each(Object.entries(sessionRequests))("%s, in a session", async (_, message) => {
    const on: Connection = { closed: never, notify: async () => {} };
    await serve(legacy, request("initialize"), facts, exchangeOn(on));
    expect((await refusal(legacy, message, facts, exchangeOn(on))).message).toMatch(short);
  });

  test("a log level that nests deeper than the stack", async () => {
    const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    const message = stateless("tools/call", {}, { "io.modelcontextprotocol/logLevel": deep });
    expect(await refusal(modern, message, facts)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(short),
    });
  });
});
