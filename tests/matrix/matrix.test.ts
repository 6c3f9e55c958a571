import { type Client, connectClient, handshake, stateless } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { type ClientEra, handshakeVersions } from "@parlance/protocol-versions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ways } from "./ways.js";

const eras: readonly (readonly [string, ClientEra])[] = [
  ["2026-07-28", stateless()],
  ...handshakeVersions.default.map((version) => [version, handshake({ versions: [version] })] as const),
];

const rows = Object.entries(ways).flatMap(([way, open]) =>
  eras.map(([version, era]) => [way, version, open, era] as const),
);

describe.each(rows)("%s, %s", (_, version, open, era) => {
  let client: Client;
  beforeAll(async () => {
    client = await connectClient({ dial: over(await open()), info: { name: "matrix", version: "1" }, eras: [era] });
  });
  afterAll(() => client.close());

  test("the client knows whom it speaks to, and how", () => {
    const { name, server } = { name: era.name, server: client.server };
    expect(server).toMatchObject({ era: name, version, info: { name: "black-box", version: "1.0.0" } });
    expect(server.capabilities.tools).toBeDefined();
  });

  test("tools are listed in order and called", async () => {
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["echo", "noargs", "progress", "slow", "stats"]);
    const text = 'é 漢字 \u2028 "\\" \n';
    expect(await client.callTool("echo", { text })).toMatchObject({ content: [{ type: "text", text }] });
    expect(await client.callTool("noargs")).toMatchObject({ content: [{ text: "ok" }] });
  });

  test("TOOL-21, TOOL-23: an unknown tool is an error of the protocol, wrong arguments one of the tool", async () => {
    await expect(client.callTool("none")).rejects.toMatchObject({ code: -32602 });
    expect(await client.callTool("echo", { text: 1 })).toMatchObject({ isError: true });
    expect(await client.callTool("echo")).toMatchObject({ isError: true });
  });

  test("progress arrives in order, before the result", async () => {
    const heard: unknown[] = [];
    const onProgress = (done: number, total?: number): void => void heard.push([done, total]);
    expect(await client.callTool("progress", { steps: 3 }, { onProgress })).toMatchObject({
      content: [{ text: "done" }],
    });
    expect(heard).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  test("STD-14, STD-15, STD-17: a slow call holds up nobody, and its abort reaches the tool", async () => {
    const before = await stats(client);
    const cancel = new AbortController();
    const slow = client.callTool("slow", { ms: 60_000 }, { signal: cancel.signal }).catch((error: unknown) => error);
    expect(await stats(client)).toMatchObject({ started: before.started + 1 });
    cancel.abort();
    expect(await slow).toBe(cancel.signal.reason);
    expect(await stats(client)).toMatchObject({ aborted: before.aborted + 1, finished: before.finished });
  });

  test("many calls at once get their own answers", async () => {
    const texts = Array.from({ length: 200 }, (_, n) => `${n}`);
    const results = await Promise.all(texts.map((text) => client.callTool("echo", { text })));
    expect(results.flatMap(({ content }) => content.map((block) => "text" in block && block.text))).toEqual(texts);
  });

  test("a method that nobody answers is not found, and the connection lives on", async () => {
    await expect(client.request("x/none")).rejects.toMatchObject({ code: -32601 });
    await client.ping();
  });
});

async function stats(client: Client): Promise<Readonly<Record<"started" | "finished" | "aborted", number>>> {
  const { content } = await client.callTool("stats");
  const [block] = content;
  return JSON.parse(block !== undefined && "text" in block && typeof block.text === "string" ? block.text : "{}");
}
