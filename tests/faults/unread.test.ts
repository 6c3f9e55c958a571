import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { leavesNothing } from "./census.js";
import { limitMs } from "./scale.js";
import { type ServerTrial, startServer } from "./server.js";
import { eras } from "./victim.js";

const textBytes = 10_000;
/** What pipes and buffers may take before a server that is not read has to stop reading. */
const boundBytes = 8 << 20;
const stallMs = 500;

describe.each(eras)("in the %s era", (era) => {
  test("a server that nobody reads stops reading, and loses nothing", { timeout: limitMs }, async () => {
    await leavesNothing(async () => {
      const server = await startServer(era);
      const sent = await callUntilStalled(server);
      expect(sent * textBytes).toBeLessThan(boundBytes);
      const answers = await server.answers(sent);
      expect(new Set(answers.map(({ id }) => id)).size).toBe(sent);
      server.child.stdin.end();
      await server.exit;
    });
  });
});

/** Calls without reading until the server takes no more. @returns how many calls were sent */
async function callUntilStalled({ call, child }: ServerTrial): Promise<number> {
  const text = "x".repeat(textBytes);
  for (let id = 1; ; id++) {
    if (id * textBytes > boundBytes) return id;
    if (call(id, "echo", { text })) continue;
    const drained = await Promise.race([once(child.stdin, "drain"), wait(stallMs, undefined)]);
    if (drained === undefined) return id;
  }
}
