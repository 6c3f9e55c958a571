import { setImmediate as turn } from "node:timers/promises";
import { restarting } from "@parlance/client";
import { describe, expect, test } from "vitest";
import { heapBytes, leavesNothing } from "./census.js";
import { limitMs, rounds } from "./scale.js";
import { eras, meet, outcome, type Trial, until } from "./victim.js";

const untilConnected = ["die at the start", "die before the introduction", "die within the introduction"];
/** What a call comes to when the server is killed there. The last answer may be there without its newline. */
const duringCalls: Readonly<Record<string, readonly string[]>> = {
  "die before the answer": ["CLOSED"],
  "die within the answer": ["CLOSED"],
  "die before the newline": ["whole"],
  "die after the answer": ["last words"],
  "die after progress": ["CLOSED"],
};
const leakBytes = 8 << 20;

describe.each(eras)("in the %s era", (era) => {
  test.each(untilConnected)("a server that is made to %s ends the attempt to connect", async (fault) => {
    expect(await leavesNothing(() => outcome(meet(era, fault)))).toBe("CLOSED");
  });

  test("a server that is killed once it is known ends the calls", async () => {
    await leavesNothing(async () => {
      const { client } = await meet(era, "die after the introduction");
      expect(await outcome(client.callTool("never"))).toBe("CLOSED");
      await client.close();
    });
  });

  test.each(Object.entries(duringCalls))("a call of a server that is made to %s settles: %s", async (fault, [end]) => {
    await leavesNothing(async () => {
      const { client } = await meet(era);
      const others = Array.from({ length: 10 }, () => outcome(client.callTool("never")));
      expect(await outcome(client.callTool(fault))).toContain(end);
      expect(new Set(await Promise.all(others))).toEqual(new Set(["CLOSED"]));
      await client.close();
    });
  });

  test("a call that is given up rejects with the reason, also when the server dies of that", async () => {
    await leavesNothing(async () => {
      const { client } = await meet(era);
      const caller = new AbortController();
      const called = outcome(client.callTool("die when cancelled", {}, { signal: caller.signal }));
      const other = outcome(client.callTool("never"));
      expect(await outcome(client.callTool("answer"))).toContain("answer");
      caller.abort("not wanted");
      expect(await called).toBe("not wanted");
      expect(await other).toBe("CLOSED");
      await client.close();
    });
  });

  test("killed from outside at whatever moment, it leaves no call waiting", { timeout: limitMs }, async () => {
    await leavesNothing(async () => {
      const { client, reports } = await meet(era, "", { restart: restarting() });
      for (let round = 0; round < 3 * rounds; round++) {
        const { content } = await client.callTool("pid");
        const pid = Number(content[0]?.type === "text" && content[0].text);
        const calls = Array.from({ length: 20 }, () => outcome(client.callTool("answer")));
        for (let turns = round % 10; turns > 0; turns--) await turn();
        process.kill(pid, "SIGKILL");
        for (const end of await Promise.all(calls)) expect(end).toMatch(/CLOSED|answer/);
        await until(() => count(reports, "server_lost") === round + 1);
      }
      await client.close();
    });
  });

  test("however often it is killed, the next call starts it again and nothing is left", {
    timeout: limitMs,
  }, async () => {
    const faults = Object.entries(duringCalls);
    await leavesNothing(async () => {
      let [lost, restarted] = [0, 0];
      // counted and not kept, as what is kept is measured
      const { client } = await meet(era, "", { restart: restarting() }, ({ kind }) => {
        if (kind === "server_lost") lost++;
        if (kind === "server_restarted") restarted++;
      });
      let calls = 0;
      let heap = 0;
      for (let round = 0; round < rounds; round++) {
        for (const [fault, [end]] of faults) {
          expect(await outcome(client.callTool(fault))).toContain(end);
          calls++;
          // what is sent to a server that is about to be gone is lost with it
          await until(() => lost === calls);
          expect(await outcome(client.callTool("answer"))).toContain("answer");
        }
        if (round === 0) heap = heapBytes();
      }
      expect(restarted).toBe(calls);
      expect(heapBytes() - heap).toBeLessThan(leakBytes);
      await client.close();
    });
  });
});

function count(reports: Trial["reports"], kind: Trial["reports"][number]["kind"]): number {
  return reports.filter((report) => report.kind === kind).length;
}
