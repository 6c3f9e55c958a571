import { expect, test } from "vitest";
import { createScriptedServer, handshakeAnswers, ok, statelessAnswers } from "../test/scripted-server.js";
import { connectClient } from "./connect.js";

const info = { name: "test", version: "1" };
const echo = ok({ content: [{ type: "text", text: "hi" }] });

test("slice: stateless", async () => {
  const server = createScriptedServer({ ...statelessAnswers, "tools/call": echo });
  const client = await connectClient({ dial: server.dial, info });
  expect(client.server).toMatchObject({ era: "stateless", version: "2026-07-28", instructions: "Be brief" });
  expect(await client.callTool("echo", { text: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] });
  await client.ping();
  await client.close();
  expect(server.methods).toEqual(["server/discover", "tools/call", "server/discover"]);
});

test("slice: handshake", async () => {
  const server = createScriptedServer({ ...handshakeAnswers, "tools/call": echo });
  const client = await connectClient({ dial: server.dial, info });
  expect(client.server).toMatchObject({ era: "handshake", version: "2025-11-25" });
  expect(await client.callTool("echo", { text: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] });
  await client.ping();
  await client.close();
  expect(server.methods).toEqual(["server/discover", "initialize", "notifications/initialized", "tools/call", "ping"]);
});
