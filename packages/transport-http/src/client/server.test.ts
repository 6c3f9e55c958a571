import { type Client, connectClient, handshake, listTools, stateless } from "@parlance/client";
import type { Dial } from "@parlance/jsonrpc";
import type { ClientEra } from "@parlance/protocol-versions";
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { describe, expect, onTestFinished, test } from "vitest";
import { http } from "../dial.js";
import {
  anonymous,
  createHttpHandler,
  handshakeBinding,
  sseTransportBinding,
  statelessBinding,
  toFetch,
} from "../index.js";
import { http as nodeHttp } from "../node/client.js";
import { listen } from "../node/listen.js";
import { sseTransport } from "../sse-transport/client.js";
import { bearerToken } from "./auth.js";

const info = { name: "test", version: "1" };

/** Holds a call of `wait` until a test has seen it. */
interface Gate {
  begun: boolean;
  aborted: boolean;
  open: () => void;
}

function createGate(): Gate {
  return { begun: false, aborted: false, open: () => {} };
}

function serverWith(gate: Gate): ReturnType<typeof createServer> {
  const steps = tool({
    name: "steps",
    description: "Reports two steps",
    run: async (_, call) => {
      await call.progress(1, 2);
      await call.progress(2, 2);
      return "done";
    },
  });
  const wait = tool({
    name: "wait",
    description: "Waits",
    run: (_, call) =>
      new Promise<string>((resolve) => {
        gate.begun = true;
        gate.open = () => resolve("opened");
        call.signal.addEventListener("abort", () => {
          gate.aborted = true;
          resolve("aborted");
        });
      }),
  });
  return createServer({ info, features: [createToolRegistry([steps, wait])] });
}

async function reach(era: ClientEra, how: string, answers: "auto" | "stream", gate = createGate()): Promise<Client> {
  const handler = createHttpHandler(serverWith(gate), {
    auth: anonymous(),
    bindings: [statelessBinding({ answers }), handshakeBinding({ answers })],
  });
  let dial: Dial;
  if (how === "fetch in this process") {
    dial = http("http://localhost/mcp", { fetch: (url, init) => toFetch(handler)(new Request(url, init)) });
  } else {
    const listening = await listen(handler);
    onTestFinished(() => listening.close());
    dial = (how === "fetch" ? http : nodeHttp)(listening.url);
  }
  const client = await connectClient({ dial, info, eras: [era] });
  onTestFinished(() => client.close());
  return client;
}

const ways = ["fetch", "node:http", "fetch in this process"];
const eras = [stateless(), handshake()];

describe.each(eras)("a server of ours, spoken to in the era $name,", (era) => {
  describe.each(ways)("over %s,", (how) => {
    test.each(["auto", "stream"] as const)("lists, calls and reports progress when it answers %s", async (answers) => {
      const client = await reach(era, how, answers);
      expect(client.server).toMatchObject({ era: era.name, info });
      expect((await listTools(client)).map(({ name }) => name)).toEqual(["steps", "wait"]);
      const seen: unknown[] = [];
      const result = await client.callTool("steps", {}, { onProgress: (...step) => seen.push(step) });
      expect(result.content).toEqual([{ type: "text", text: "done" }]);
      expect(seen).toEqual([
        [1, 2, undefined],
        [2, 2, undefined],
      ]);
      await client.ping();
      await expect(client.request("no/such", {})).rejects.toMatchObject({ code: -32601 });
    });

    test("BUG-59: is told when a call is given up", async () => {
      const gate = createGate();
      const client = await reach(era, how, "auto", gate);
      const giving = new AbortController();
      const calling = expect(client.callTool("wait", {}, { signal: giving.signal })).rejects.toThrow("enough");
      await expect.poll(() => gate.begun).toBe(true);
      giving.abort(new Error("enough"));
      await calling;
      await expect.poll(() => gate.aborted).toBe(true);
      expect((await client.callTool("steps")).isError).not.toBe(true);
    });
  });
});

test("a session that a server of ours forgot is replaced", async () => {
  const make = () => createHttpHandler(serverWith(createGate()), { auth: anonymous() });
  let handler = make();
  const reports: unknown[] = [];
  const client = await connectClient({
    dial: http("http://localhost/mcp", { fetch: (url, init) => toFetch(handler)(new Request(url, init)) }),
    info,
    eras: [handshake()],
    report: ({ kind }) => reports.push(kind),
  });
  handler = make();
  expect((await client.callTool("steps")).content).toEqual([{ type: "text", text: "done" }]);
  expect(reports).toEqual(["session_replaced"]);
  await client.close();
});

test("a server of ours that speaks only HTTP+SSE is found by the older way", async () => {
  const auth = Object.assign(async () => ({ id: "me", scopes: [] }), {});
  const handler = createHttpHandler(serverWith(createGate()), { auth, bindings: [sseTransportBinding()] });
  const listening = await listen(handler);
  for (const dial of [http, nodeHttp]) {
    const client = await connectClient({
      dial: dial(listening.url, { fallback: sseTransport(), auth: bearerToken("t") }),
      info,
    });
    expect(client.server.era).toBe("handshake");
    expect((await client.callTool("steps")).content).toEqual([{ type: "text", text: "done" }]);
    await client.close();
  }
  await listening.close();
});
