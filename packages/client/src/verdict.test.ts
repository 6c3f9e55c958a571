import { handshakeClient, statelessClient } from "@parlance/protocol-versions";
import { expect, test } from "vitest";
import { connectClient } from "./connect.js";
import type { ClientReport } from "./report.js";
import { restarting } from "./restart.js";
import { createScriptedServer, fail, handshakeAnswers, ok, statelessAnswers } from "./scripted-server.fixture.js";
import { memoryVerdicts, remembering, type Verdict } from "./verdict.js";

const info = { name: "test", version: "1" };
const eras = [statelessClient(), handshakeClient()];
const stateless: Verdict = { era: "stateless", version: "2026-07-28" };
const hello = ok({ content: [{ type: "text", text: "hello" }] });

test("VER-C-06: a client that is told the version sends no probe", async () => {
  const server = createScriptedServer({ ...statelessAnswers, "tools/call": hello });
  const client = await connectClient({ dial: server.dial, info, eras, verdicts: remembering(stateless) });
  expect(server.methods).toEqual([]);
  expect(client.server).toMatchObject({ era: "stateless", version: "2026-07-28", capabilities: {} });
  await client.callTool("hello");
  expect(server.methods).toEqual(["tools/call"]);
});

test("a ping asks a stateless server what it offers, so that it is known from then on", async () => {
  const server = createScriptedServer(statelessAnswers);
  const client = await connectClient({ dial: server.dial, info, eras, verdicts: remembering(stateless) });
  await client.ping();
  expect(client.server).toMatchObject({ capabilities: { tools: {} }, instructions: "Be brief" });
});

test("VER-C-07: a store that is shared by two clients saves the second the probe", async () => {
  const verdicts = memoryVerdicts();
  const server = createScriptedServer({ ...statelessAnswers, "tools/call": hello }, "tool --serve");
  await connectClient({ dial: server.dial, info, eras, verdicts: remembering(verdicts) });
  expect(server.methods).toEqual(["server/discover"]);
  const second = await connectClient({ dial: server.dial, info, eras, verdicts: remembering(verdicts) });
  await second.callTool("hello");
  expect(server.methods).toEqual(["tools/call"]);
  expect(second.server.instructions).toBe("Be brief");
});

test("VER-C-07: a server that shakes hands is remembered too, and initialized at once", async () => {
  const verdicts = memoryVerdicts();
  const server = createScriptedServer(handshakeAnswers, "tool --serve");
  await connectClient({ dial: server.dial, info, eras, verdicts: remembering(verdicts) });
  await connectClient({ dial: server.dial, info, eras, verdicts: remembering(verdicts) });
  expect(server.runs).toHaveLength(2);
  expect(server.methods).toEqual(["initialize", "notifications/initialized"]);
});

test("servers without a name are not remembered", async () => {
  const verdicts = memoryVerdicts();
  const server = createScriptedServer(handshakeAnswers);
  await connectClient({ dial: server.dial, info, eras, verdicts: remembering(verdicts) });
  await connectClient({ dial: server.dial, info, eras, verdicts: remembering(verdicts) });
  expect(server.methods).toEqual(["server/discover", "initialize", "notifications/initialized"]);
});

test("VER-C-08: remembered as stateless, a server that now shakes hands is found out by its first refusal", async () => {
  const reports: ClientReport[] = [];
  const verdicts = memoryVerdicts();
  const server = createScriptedServer(
    {
      ...handshakeAnswers,
      "tools/call": (_, run) =>
        run.received.some((message) => message.method === "initialize") ? hello : fail(-32000, "Not initialized"),
    },
    "tool --serve",
  );
  await verdicts.set(JSON.stringify(["tool --serve", undefined]), stateless);
  const client = await connectClient({
    dial: server.dial,
    info,
    eras,
    verdicts: remembering(verdicts),
    report: (report) => reports.push(report),
  });
  expect(await client.callTool("hello")).toMatchObject({ content: [{ text: "hello" }] });
  expect(client.server).toMatchObject({ era: "handshake", version: "2025-11-25" });
  expect(server.runs).toHaveLength(1);
  expect(server.methods).toEqual([
    "tools/call",
    "server/discover",
    "initialize",
    "notifications/initialized",
    "tools/call",
  ]);
  expect(reports).toEqual([{ kind: "verdict_wrong", era: "stateless", version: "2026-07-28" }]);
  await client.close();

  await connectClient({ dial: server.dial, info, eras, verdicts: remembering(verdicts) });
  expect(server.methods).toEqual(["initialize", "notifications/initialized"]);
});

test("VER-C-08: calls that are refused together are all made anew, after one look", async () => {
  const server = createScriptedServer({
    ...handshakeAnswers,
    "tools/call": (_, run) =>
      run.received.some((message) => message.method === "initialize") ? hello : fail(-32000, "Not initialized"),
  });
  const client = await connectClient({ dial: server.dial, info, eras, verdicts: remembering(stateless) });
  const calls = ["a", "b", "c"].map((name) => client.callTool(name));
  for (const result of await Promise.all(calls)) expect(result).toMatchObject({ content: [{ text: "hello" }] });
  expect(server.methods.filter((method) => method === "server/discover")).toHaveLength(1);
  expect(server.methods.filter((method) => method === "tools/call")).toHaveLength(6);
});

test("VER-C-08: a server that is silent under a verdict is looked at before the next call", async () => {
  const server = createScriptedServer({
    ...handshakeAnswers,
    "tools/call": (_, run) => (run.received.some(({ method }) => method === "initialize") ? hello : "silence"),
  });
  const client = await connectClient({ dial: server.dial, info, eras, verdicts: remembering(stateless) });
  await expect(client.callTool("x", {}, { timeoutMs: 1 })).rejects.toMatchObject({ code: "TIMEOUT" });
  expect(await client.callTool("x")).toMatchObject({ content: [{ text: "hello" }] });
  expect(client.server.era).toBe("handshake");
});

test("VER-C-08: a look that leads nowhere is taken again by the next call", async () => {
  let ready = false;
  const server = createScriptedServer({
    initialize: () => (ready ? ok({ protocolVersion: "2025-11-25", capabilities: { tools: {} } }) : fail(-32601)),
    "tools/call": (_, run) => (run.received.at(-2)?.method === "notifications/initialized" ? hello : fail(-32000)),
  });
  const client = await connectClient({ dial: server.dial, info, eras, verdicts: remembering(stateless) });
  await expect(client.callTool("x")).rejects.toMatchObject({ code: "VERSION_MISMATCH" });
  ready = true;
  expect(await client.callTool("x")).toMatchObject({ content: [{ text: "hello" }] });
});

test("VER-C-08: remembered as shaking hands, a server that no longer does is asked in the other era", async () => {
  const server = createScriptedServer(statelessAnswers);
  const verdict: Verdict = { era: "handshake", version: "2025-11-25" };
  const client = await connectClient({ dial: server.dial, info, eras, verdicts: remembering(verdict) });
  expect(client.server.era).toBe("stateless");
  expect(server.methods).toEqual(["initialize", "server/discover"]);
  expect(server.runs).toHaveLength(1);
});

test("VER-C-08: a refusal that the verdict did not cause is the answer, after one look", async () => {
  const server = createScriptedServer({ ...statelessAnswers, "tools/call": fail(-32602, "No tool x") });
  const client = await connectClient({ dial: server.dial, info, eras, verdicts: remembering(stateless) });
  await expect(client.callTool("x")).rejects.toMatchObject({ code: -32602 });
  await expect(client.callTool("x")).rejects.toMatchObject({ code: -32602 });
  expect(server.methods).toEqual(["tools/call", "server/discover", "tools/call"]);
});

test("VER-C-08: a server that ends because of a wrong verdict is started again and asked", async () => {
  const server = createScriptedServer(
    {
      ...handshakeAnswers,
      "server/discover": "exit",
      "tools/call": (_, run) => (run.received.some((message) => message.method === "initialize") ? hello : "exit"),
    },
    "tool --serve",
  );
  const verdicts = memoryVerdicts();
  await verdicts.set(JSON.stringify(["tool --serve", undefined]), stateless);
  const options = { verdicts: remembering(verdicts), restart: restarting() };
  const client = await connectClient({ dial: server.dial, info, eras, ...options });
  await expect(client.callTool("hello")).rejects.toMatchObject({ code: "CLOSED" });
  expect(await client.callTool("hello")).toMatchObject({ content: [{ text: "hello" }] });
  expect(client.server.era).toBe("handshake");
});

test("the end of a server that was dialed anew because of a wrong verdict is told too", async () => {
  const kinds: string[] = [];
  const server = createScriptedServer({
    ...handshakeAnswers,
    "server/discover": "exit",
    "tools/call": (_, run) => (run.received.some(({ method }) => method === "initialize") ? hello : fail(-32000)),
  });
  const report = ({ kind }: ClientReport): void => void kinds.push(kind);
  const client = await connectClient({ dial: server.dial, info, eras, verdicts: remembering(stateless), report });
  expect(await client.callTool("hello")).toMatchObject({ content: [{ text: "hello" }] });
  server.last.exit();
  expect(kinds).toEqual(["server_lost", "verdict_wrong", "server_lost"]);
});

test("a verdict for a version that this client does not speak is not followed", async () => {
  const server = createScriptedServer(statelessAnswers);
  await connectClient({
    dial: server.dial,
    info,
    eras,
    verdicts: remembering({ era: "stateless", version: "2031-01-01" }),
  });
  expect(server.methods).toEqual(["server/discover"]);
});
