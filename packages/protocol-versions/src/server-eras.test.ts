import { answer, connect, type JsonObject, memoryPair } from "@parlance/jsonrpc";
import { describe, expect, test } from "vitest";
import type { Feature } from "./feature.js";
import { complete, envelope, factsOf, handlerOf, request, stateless } from "./served.fixture.js";
import { serverEras } from "./server-eras.js";

const says: Feature = ({ version, caller }) => complete({ content: [], version, caller });

test("both eras are spoken by default, the newest first", () => {
  expect(serverEras().map(({ name }) => name)).toEqual(["stateless", "handshake"]);
});

test("VER-S-14, VER-S-15, VER-S-20: both eras are spoken on one connection, and neither disturbs the other", async () => {
  const eras = serverEras();
  const [near, far] = memoryPair();
  const serving = await connect(far, handlerOf(eras, factsOf(eras, { "tools/call": says })));
  const peer = await connect(near, { request: () => expect.fail("asked") });
  const info = { name: "old", version: "1" };
  await peer.request("initialize", { protocolVersion: "2025-06-18", capabilities: { roots: {} }, clientInfo: info });
  const flow = (name: string): JsonObject => {
    const clientInfo = { name, version: "1" };
    return { name: "x", _meta: envelope({ "io.modelcontextprotocol/clientInfo": clientInfo }) };
  };
  const [a, session, b] = await Promise.all([
    peer.request("tools/call", flow("a")),
    peer.request("tools/call", { name: "x" }),
    peer.request("tools/call", flow("b")),
  ]);
  expect(a).toMatchObject({ resultType: "complete", version: "2026-07-28", caller: { info: { name: "a" } } });
  expect(b).toMatchObject({ version: "2026-07-28", caller: { info: { name: "b" }, capabilities: {} } });
  expect(session).toEqual({ content: [], version: "2025-06-18", caller: { info, capabilities: { roots: {} } } });
  await peer.close();
  await serving.close();
});

describe("what no era claims", () => {
  const eras = serverEras();
  const handler = handlerOf(eras, factsOf(eras, { "tools/call": says }));
  const told = async (message: object): Promise<unknown> =>
    JSON.parse((await answer(handler, JSON.stringify(message))) ?? "");

  test("LC-11: a request before initialize is told of the missing _meta, and that initialize would also do", async () => {
    const { error } = (await told(request("tools/call", { name: "x" }))) as {
      error: { code: number; message: string };
    };
    expect(error.code).toBe(-32602);
    expect(error.message).toContain("io.modelcontextprotocol/protocolVersion");
    expect(error.message).toContain("initialize would also do");
  });

  test("VER-S-11, VER-S-12: initialize and ping with the _meta of the stateless era are unknown methods", async () => {
    expect(await told(stateless("initialize"))).toMatchObject({ error: { code: -32601 } });
    expect(await told(stateless("ping"))).toMatchObject({ error: { code: -32601 } });
    expect(await told(request("ping"))).toMatchObject({ result: {} });
  });

  test("JR-16, BUG-66: a notification that nobody claims is not answered", async () => {
    const notification = { jsonrpc: "2.0", method: "no/such" };
    expect(await answer(handler, JSON.stringify(notification))).toBeUndefined();
  });
});

test("RES-02, ERR-05: one handler answers each era in its own way", async () => {
  const eras = serverEras();
  const data = { uri: "file:///x" };
  const gone: Feature = () => ({ type: "refused", reason: "not_found", message: "gone" });
  const facts = factsOf(eras, { "resources/read": gone, "tools/call": () => complete({ content: [] }) });
  const [near, far] = memoryPair();
  const serving = await connect(far, handlerOf(eras, facts));
  const peer = await connect(near, { request: () => expect.fail("asked") });
  await peer.request("initialize", { protocolVersion: "2025-11-25" });
  const read = { uri: "file:///x" };
  await expect(peer.request("resources/read", read)).rejects.toMatchObject({ code: -32002, data });
  await expect(peer.request("resources/read", { ...read, _meta: envelope() })).rejects.toMatchObject({
    code: -32602,
    data,
  });
  expect(await peer.request("tools/call", {})).toEqual({ content: [] });
  expect(Object.keys(await peer.request("tools/call", { _meta: envelope() }))).toEqual([
    "resultType",
    "_meta",
    "content",
  ]);
  await peer.close();
  await serving.close();
});
