import { describe, expect, test } from "vitest";
import { heapBytes, leavesNothing } from "./census.js";
import { limitMs, rounds } from "./scale.js";
import { eras, meet, outcome } from "./victim.js";

const count = 2_000 * Math.min(rounds, 50);
const leakBytes = 8 << 20;
/** 10,000 answers, about a KiB each with what waits for it. */
const unreadBytes = 24 << 20;

/** What is kept would be measured. */
const forget = (): void => undefined;

describe.each(eras)("our client in the %s era", (era) => {
  test("a flood of notifications is heard, and not kept", { timeout: limitMs }, async () => {
    await leavesNothing(async () => {
      let heard = 0;
      const { client } = await meet(era, "", { onNotification: () => void heard++ });
      const before = heapBytes();
      expect(await outcome(client.callTool("flood", { count, text: "x".repeat(1_000) }))).toContain("flooded");
      expect(heard).toBe(count);
      expect(heapBytes() - before).toBeLessThan(leakBytes);
      await client.close();
    });
  });

  test("a flood of requests is answered or ignored, and not kept", { timeout: limitMs }, async () => {
    await leavesNothing(async () => {
      const { client } = await meet(era, "", {}, forget);
      const before = heapBytes();
      expect(await outcome(client.callTool("ask", { count }))).toContain("asked");
      expect(await outcome(client.callTool("answer"))).toContain("answer");
      expect(heapBytes() - before).toBeLessThan(leakBytes);
      await client.close();
    });
  });

  test("a flood of requests from a server that reads no answers is not kept", { timeout: limitMs }, async () => {
    await leavesNothing(async () => {
      const { client } = await meet(era, "", {}, forget);
      const before = heapBytes();
      // the stateless era answers no server, so there is nothing to read
      const [timeoutMs, end] = era === "handshake" ? [500, "TIMEOUT"] : [60_000, "asked"];
      const call = client.callTool("ask without reading", { count: 50_000 }, { timeoutMs });
      expect(await outcome(call)).toContain(end);
      expect(heapBytes() - before).toBeLessThan(unreadBytes);
      await client.close();
    });
  });

  test("a flood of answers to nothing is reported, and not kept", { timeout: limitMs }, async () => {
    await leavesNothing(async () => {
      let strays = 0;
      const { client } = await meet(era, "", {}, ({ kind }) => void (kind === "stray_response" && strays++));
      const before = heapBytes();
      expect(await outcome(client.callTool("stray", { count }))).toContain("strayed");
      expect(strays).toBe(count);
      expect(heapBytes() - before).toBeLessThan(leakBytes);
      await client.close();
    });
  });

  test("a server that stops reading lets calls time out, and can be closed", { timeout: limitMs }, async () => {
    await leavesNothing(async () => {
      const { client } = await meet(era, "outlive stdin");
      await outcome(client.callTool("stop reading", {}, { timeoutMs: 50 }));
      const text = "x".repeat(10_000);
      const calls = Array.from({ length: 200 }, () => outcome(client.callTool("never", { text }, { timeoutMs: 50 })));
      expect(new Set(await Promise.all(calls))).toEqual(new Set(["TIMEOUT"]));
      const last = outcome(client.callTool("never", { text }));
      await client.close();
      expect(await last).toBe("CLOSED");
    });
  });
});
