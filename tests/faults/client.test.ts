import { describe, expect, test } from "vitest";
import { leavesNothing } from "./census.js";
import { limitMs, rounds } from "./scale.js";
import { type ServerTrial, startServer } from "./server.js";
import { eras } from "./victim.js";

const count = 500 * Math.min(rounds, 50);

/** Ends our server as a client does, and sees that it ends well. */
async function part({ child, exit }: ServerTrial): Promise<void> {
  child.stdin.end();
  expect(await exit).toEqual([0, null]);
}

describe.each(eras)("our server in the %s era", (era) => {
  test("answers to what it never asked, and cancels of what it never ran, are no news to it", async () => {
    await leavesNothing(async () => {
      const server = await startServer(era);
      for (let n = 0; n < count; n++) {
        server.send({ id: n, result: {} });
        server.send({ id: `${n}`, error: { code: 1, message: "none" } });
        server.send({ method: "notifications/cancelled", params: { requestId: n } });
      }
      server.call(1, "echo", { text: "still here" });
      expect(await server.answers(1)).toMatchObject([{ id: 1, result: { content: [{ text: "still here" }] } }]);
      await part(server);
    });
  });

  test("an id that is in use is refused without it, and the first call keeps its answer", async () => {
    await leavesNothing(async () => {
      const server = await startServer(era);
      server.call(1, "hold", { name: "first" });
      server.call(1, "echo", { text: "second" });
      server.call(2, "release", { name: "first" });
      const answers = await server.answers(3);
      expect(answers).toContainEqual({ jsonrpc: "2.0", error: expect.objectContaining({ code: -32600 }) });
      expect(answers.find(({ id }) => id === 1)).toMatchObject({ result: { content: [{ text: "first" }] } });
      await part(server);
    });
  });

  test("calls that are all given up are all told, and none is answered", { timeout: limitMs }, async () => {
    await leavesNothing(async () => {
      const server = await startServer(era);
      for (let id = 1; id <= count; id++) {
        server.call(id, "hold", { name: `${id}` });
        server.send({ method: "notifications/cancelled", params: { requestId: id } });
      }
      server.call(0, "counts", {});
      const [answer] = await server.answers(1);
      expect(answer).toMatchObject({ id: 0 });
      expect(JSON.stringify(answer)).toContain(String.raw`\"aborted\":${count}`);
      await part(server);
    });
  });

  test("frames that are too long are refused one by one, and the connection lives on", async () => {
    await leavesNothing(async () => {
      const server = await startServer(era);
      const tooLong = "x".repeat(17 << 20);
      for (let n = 0; n < 3; n++) server.child.stdin.write(`${tooLong}\n`);
      server.call(1, "echo", { text: "still here" });
      const answers = await server.answers(4);
      expect(answers.map(({ id, error }) => [id, Object(error).code])).toEqual([
        ...Array(3).fill([undefined, -32600]),
        [1, undefined],
      ]);
      await part(server);
    });
  });
});
