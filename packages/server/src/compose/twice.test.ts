import type { JsonObject } from "@parlance/jsonrpc";
import { expect, test } from "vitest";
import { createServer, logging, questions } from "../index.js";
import { round, session, type Tool, toolSet } from "../questions/asking.fixture.js";
import { mount } from "./mount.js";

const accept = (content: JsonObject): JsonObject => ({ action: "accept", content });

let worked = 0;
const order: Tool = {
  name: "order",
  run: async (call) => {
    const price = await call.once("price", () => ++worked);
    const first = await call.elicit("first", "First?", { yes: { type: "boolean" } });
    const second = await call.elicit("second", "Second?", { yes: { type: "boolean" } });
    return `${price} ${first.action} ${second.action}`;
  },
};
const info = { name: "outer", version: "1.0.0" };
const inner = [toolSet([order]), questions(), logging()];

/** What both have is theirs once, whichever comes first. */
const orders = [
  ["first", [questions(), logging(), mount("in_", inner)]],
  ["last", [mount("in_", inner), questions(), logging()]],
] as const;

test.each(orders)(
  "a server that asks, mounted in one that asks too, keeps its state: its own set comes %s",
  async (_, features) => {
    const server = createServer({ info, features });
    const params = { name: "in_order" };
    const before = worked;
    const one = await round(server, params);
    expect(Object.keys(one.result.inputRequests)).toEqual(["first"]);
    const answered = { inputResponses: { first: accept({ yes: true }) }, requestState: one.result.requestState };
    const two = await round(server, { ...params, ...answered });
    expect(Object.keys(two.result.inputRequests)).toEqual(["second"]);
    const last = { inputResponses: { second: accept({ yes: true }) }, requestState: two.result.requestState };
    const { result } = await round(server, { ...params, ...last });
    expect(result.content).toEqual([{ type: "text", text: `${before + 1} accept accept` }]);
    const inSession = await session(server, params, () => accept({ yes: true }));
    expect(inSession.result.content).toEqual([{ type: "text", text: `${before + 2} accept accept` }]);
  },
);
