import { expect, vi } from "vitest";
import { type Behavior, type Column, failure, type Line, say } from "../behavior.js";

/** What happens while a call waits. */
export const waiting: readonly Behavior[] = [
  {
    title: "progress is heard in order, before the answer, with a message since 2025-03-26",
    run: async ({ client }, { has }) => {
      const heard: unknown[] = [];
      const onProgress = (...report: readonly unknown[]): void => void heard.push(report);
      const { content } = await client.callTool("progress", {}, { onProgress });
      heard.push(content);
      const message = (text: string): string | undefined => (has("2025-03-26") ? text : undefined);
      expect(heard).toEqual([[1, 2, message("half")], [2, 2, message("all")], [{ type: "text", text: "done" }]]);
    },
  },
  {
    title: "a call that is given up rejects with the reason, and its tool is told",
    run: async ({ client }) => {
      const before = JSON.parse(await say(client, "counts")).aborted;
      const caller = new AbortController();
      const failed = failure(client.callTool("hold", { name: "given up" }, { signal: caller.signal }));
      await client.callTool("held", { name: "given up" });
      const reason = new Error("not wanted any more");
      caller.abort(reason);
      expect(await failed).toBe(reason);
      await client.callTool("left", { name: "given up" });
      expect(JSON.parse(await say(client, "counts")).aborted).toBe(before + 1);
    },
  },
  {
    title: "a call that was given up before it was made is not sent",
    run: async ({ client, frames }) => {
      const { length } = frames;
      const reason = new Error("never wanted");
      expect(await failure(client.callTool("echo", { text: "" }, { signal: AbortSignal.abort(reason) }))).toBe(reason);
      expect(frames.length).toBe(length);
    },
  },
  {
    title: "a call that takes too long is given up, and its tool is told",
    run: (_, column) =>
      onClock(column, async ({ client }) => {
        const failed = failure(client.callTool("hold", { name: "slow" }, { timeoutMs: 1_000 }));
        await client.callTool("held", { name: "slow" });
        await vi.advanceTimersByTimeAsync(1_001);
        expect(await failed).toMatchObject({ code: "TIMEOUT" });
        await client.callTool("left", { name: "slow" });
        expect(JSON.parse(await say(client, "counts")).aborted).toBe(1);
      }),
  },
  {
    title: "progress extends the time of a call",
    run: (_, column) =>
      onClock(column, async ({ client }) => {
        const { onProgress, heard } = hearing();
        const answer = client.callTool("hold", { name: "steady" }, { timeoutMs: 1_000, onProgress });
        for (const done of [1, 2, 3]) {
          await client.callTool("nudge", { name: "steady", done });
          await heard(done);
          await vi.advanceTimersByTimeAsync(900);
        }
        await client.callTool("release", { name: "steady" });
        expect(await answer).toMatchObject({ content: [{ text: "steady" }] });
      }),
  },
  {
    title: "progress extends the time of a call no further than it is given in all",
    run: (_, column) =>
      onClock(column, async ({ client }) => {
        const { onProgress, heard } = hearing();
        const limits = { timeoutMs: 1_000, maxTotalMs: 1_500, onProgress };
        const failed = failure(client.callTool("hold", { name: "eager" }, limits));
        await client.callTool("held", { name: "eager" });
        await vi.advanceTimersByTimeAsync(900);
        await client.callTool("nudge", { name: "eager", done: 1 });
        await heard(1);
        await vi.advanceTimersByTimeAsync(601);
        expect(await failed).toMatchObject({ code: "TIMEOUT" });
      }),
  },
  {
    title: "log messages come at the level of the session",
    only: "handshake",
    run: async (_, { connect }) => {
      const { client, notifications } = await connect();
      await client.callTool("log");
      await client.request("logging/setLevel", { level: "debug" });
      await client.callTool("log");
      await client.request("logging/setLevel", { level: "emergency" });
      await client.callTool("log");
      expect(notifications.map(({ params }) => params?.["level"])).toEqual(["error", "debug", "error"]);
      await client.close();
    },
  },
  {
    title: "log messages come to a call that wants them, at its level",
    only: "stateless",
    run: async (_, { connect }) => {
      const { client, notifications } = await connect();
      await client.callTool("log");
      await client.callTool("log", {}, { logLevel: "error" });
      expect(notifications.map(({ params }) => params?.["level"])).toEqual(["error"]);
      await client.close();
    },
  },
];

/** Progress that can be waited for. */
function hearing(): { onProgress(done: number): void; heard(done: number): Promise<void> } {
  const seats = new Map<number, () => void>();
  let last = 0;
  return {
    onProgress: (done) => {
      last = done;
      seats.get(done)?.();
    },
    heard: async (done) => {
      if (last < done) await new Promise<void>((resolve) => seats.set(done, resolve));
    },
  };
}

/** A connection whose client lives by a clock that the test turns; what it talks to does not. */
async function onClock({ connect }: Column, act: (line: Line) => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const line = await connect();
    await act(line);
    await line.client.close();
  } finally {
    vi.useRealTimers();
  }
}
