import { setImmediate as turn } from "node:timers/promises";
import { startServers } from "@parlance/host";
import { callTool, createToolRegistry, listTools } from "@parlance/tool-registry";
import { expect, test, vi } from "vitest";
import { heapBytes, leavesNothing } from "../faults/census.js";
import { limitMs, rounds } from "../faults/scale.js";
import { peer, runs, watchPids } from "./peers.js";

const [calls, kills] = [1_000 * rounds, 20 * rounds];
const leakBytes = 8 << 20;
const reasons =
  /^tool "\w+" (failed: server "\w+" (was ended by SIGKILL|ended|exited with code \d+) before it answered|is unavailable: server "\w+" (was ended by SIGKILL|ended) and is being started again; try later)$/;

test("BUG-18: kill -9 of any server at any moment of a thousand calls: each call settles, the tools come back, nothing is left", {
  timeout: 60_000 + limitMs,
}, async () => {
  await leavesNothing(async () => {
    const [pids, registry] = [watchPids(), createToolRegistry()];
    const ids = ["a", "b", "c"];
    const restart = { maxTries: 5, delayMs: 1, maxDelayMs: 20 };
    const servers = Object.fromEntries(
      ids.map((id, at) => [id, { ...peer(id, at === 0 ? "handshake" : "stateless"), restart }]),
    );
    const host = await startServers({ servers }, registry, { report: pids.report, print: () => undefined });
    const names = listTools(registry).map(({ name }) => name);
    const tally = { answered: 0, told: 0 };
    let heap = 0;

    async function call(at: number): Promise<void> {
      const id = ids[at % ids.length];
      const { content, isError } = await callTool(registry, `${id}_echo`, { text: `${at}` });
      const [block] = content;
      const text = block?.type === "text" ? block.text : "";
      if (isError === true) expect(text).toMatch(reasons);
      else expect(text).toBe(`${at}`);
      tally[isError === true ? "told" : "answered"]++;
    }

    for (let round = 0; round < kills; round++) {
      const from = (round * calls) / kills;
      const batch = Array.from({ length: calls / kills }, (_, at) => call(from + at));
      const victim = ids[round % ids.length] ?? "";
      const pid = (await pids.of(3)).get(victim) ?? 0;
      for (let turns = round % 7; turns > 0; turns--) await turn();
      process.kill(pid, "SIGKILL");
      await Promise.all(batch);
      await vi.waitUntil(() => host.servers.every(({ connected }) => connected) && !runs(pid), {
        timeout: 20_000,
        interval: 1,
      });
      // a call that succeeds says that the server is well again
      await call(calls + round);
      await call(calls + round + 1);
      await call(calls + round + 2);
      if (round === 1) heap = heapBytes();
    }
    expect(tally.answered + tally.told).toBe(calls + 3 * kills);
    expect(tally.told).toBeGreaterThan(0);
    expect(listTools(registry).map(({ name }) => name)).toEqual(names);
    expect(heapBytes() - heap).toBeLessThan(leakBytes);
    await host.close();
    expect(pids.all.filter(runs)).toEqual([]);
  });
});
