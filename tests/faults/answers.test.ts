import { describe, expect, test } from "vitest";
import { leavesNothing } from "./census.js";
import { eras, meet, outcome } from "./victim.js";

describe.each(eras)("in the %s era", (era) => {
  test("a second answer is reported, and the first one counts", async () => {
    await leavesNothing(async () => {
      const { client, reports } = await meet(era);
      expect(await outcome(client.callTool("answer twice"))).toContain("first");
      expect(await outcome(client.callTool("answer"))).toContain("answer");
      expect(reports.map(({ kind }) => kind)).toEqual(["stray_response", "stray_response"]);
      await client.close();
    });
  });

  test("answers to what was never asked are reported, also when only the type of their id is wrong", async () => {
    await leavesNothing(async () => {
      const { client, reports } = await meet(era);
      expect(await outcome(client.callTool("answer others"))).toContain("own");
      expect(reports.map(({ kind }) => kind)).toEqual(Array(5).fill("stray_response"));
      await client.close();
    });
  });

  test("an answer to a call that was given up is reported, and nobody gets it", async () => {
    await leavesNothing(async () => {
      const { client, reports } = await meet(era);
      const caller = new AbortController();
      const called = outcome(client.callTool("answer when cancelled", {}, { signal: caller.signal }));
      expect(await outcome(client.callTool("answer"))).toContain("answer");
      caller.abort("not wanted");
      expect(await called).toBe("not wanted");
      expect(await outcome(client.callTool("answer"))).toContain("answer");
      expect(reports.map(({ kind }) => kind)).toEqual(["stray_response"]);
      await client.close();
    });
  });

  test("nonsense is reported, and the connection lives on", async () => {
    await leavesNothing(async () => {
      const { client, reports } = await meet(era);
      expect(await outcome(client.callTool("answer nonsense"))).toContain("sense");
      expect(new Set(reports.map(({ kind }) => kind))).toEqual(new Set(["malformed"]));
      await client.close();
    });
  });

  test("an answer that is a result and an error at once is neither", async () => {
    await leavesNothing(async () => {
      const { client } = await meet(era);
      expect(await outcome(client.callTool("answer both ways"))).toBe("BAD_REPLY");
      expect(await outcome(client.callTool("answer"))).toContain("answer");
      await client.close();
    });
  });
});
