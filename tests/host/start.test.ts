import { createServer } from "node:net";
import { type ServerEntry, type ServerStatus, startServers } from "@parlance/host";
import { createToolRegistry, listTools } from "@parlance/tool-registry";
import { expect, test } from "vitest";
import { leavesNothing } from "../faults/census.js";
import { peer, runs, textOf, tiny, watchPids } from "./peers.js";

const ten = Array.from({ length: 10 }, (_, at) => `s${at}`);

async function refusedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise<void>((closed) => server.close(() => closed()));
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/mcp`;
}

test("BUG-114, BUG-26: ten servers are started before the first is answered, each once; a missing command, a refused port and a silent one cost a line each", {
  timeout: 30_000,
}, async () => {
  await leavesNothing(async () => {
    const [pids, registry, printed] = [watchPids(), createToolRegistry(), [] as string[]];
    const ready: string[] = [];
    const settled = new Map<string, (status: ServerStatus) => void>();
    const isReady = (id: string) => new Promise<ServerStatus>((resolve) => settled.set(id, resolve));
    const atOnce = [isReady("missing"), isReady("refused")];
    const connected = ten.map(isReady);
    const silent = { ...peer("mute", "stateless", "waits"), deadlineMs: 6_000 };
    const starting = startServers(
      {
        servers: {
          mute: silent,
          missing: { command: "no-such-program" },
          refused: { url: await refusedUrl() },
          ...Object.fromEntries(ten.map((id, at) => [id, peer(id, at % 2 === 0 ? "stateless" : "handshake", "waits")])),
        } satisfies Record<string, ServerEntry>,
      },
      registry,
      {
        report: pids.report,
        print: (line) => printed.push(line),
        onReady: (status) => {
          ready.push(status.id);
          settled.get(status.id)?.(status);
        },
      },
    );
    const spawned = await pids.of(11);
    expect((await Promise.all(atOnce)).map(({ error }) => error?.code)).toEqual(["SPAWN_FAILED", "UNREACHABLE"]);
    expect(new Set(ready)).toEqual(new Set(["missing", "refused"]));
    for (const id of ten) process.kill(spawned.get(id) ?? 0, "SIGUSR2");
    await Promise.all(connected);
    expect(ready).not.toContain("mute");
    for (const id of ten) expect(await textOf(registry, `${id}_echo`, { text: id })).toBe(id);
    expect(ready).not.toContain("mute");
    const host = await starting;
    expect(host.servers.map(({ id }) => id)).toEqual(["mute", "missing", "refused", ...ten]);
    expect(host.server("mute")).toMatchObject({ state: "failed", error: { code: "TIMEOUT", stderr: [/^pid \d+$/] } });
    expect(runs(spawned.get("mute") ?? 0)).toBe(false);
    expect(printed).toHaveLength(3);
    expect(printed).toContain(
      'MCP server "mute" could not be connected: no answer within 6 s; its tools are absent from this run',
    );
    expect(pids.all).toHaveLength(11);
    await host.close();
    expect(pids.all.filter(runs)).toEqual([]);
  });
});

test("fifty servers start and end, and no process or descriptor is left", { timeout: 60_000 }, async () => {
  await leavesNothing(async () => {
    const [pids, registry] = [watchPids(), createToolRegistry()];
    const ids = Array.from({ length: 50 }, (_, at) => `t${at}`);
    const servers = Object.fromEntries(ids.map((id) => [id, { ...tiny, prefix: `${id}_` }]));
    const host = await startServers({ servers }, registry, { report: pids.report });
    expect(host.servers.filter(({ connected }) => connected)).toHaveLength(50);
    expect(listTools(registry)).toHaveLength(50);
    const said = await Promise.all(ids.map((id) => textOf(registry, `${id}_tell`)));
    expect(new Set(said)).toEqual(new Set(["told"]));
    await host.close();
    expect([pids.all.length, pids.all.filter(runs)]).toEqual([50, []]);
  });
});
