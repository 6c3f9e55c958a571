// What every server here does, whatever it is written with.
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";

export const info = { name: "peer", version: "1.0.0" };
export const inputs = {
  echo: z.object({ text: z.string() }),
  progress: z.object({ steps: z.number().int() }),
  slow: z.object({ ms: z.number() }),
};

const counts = { started: 0, finished: 0, aborted: 0 };
export const stats = () => JSON.stringify(counts);

export async function slow(ms, signal) {
  counts.started++;
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    counts.aborted++;
    throw error;
  }
  counts.finished++;
  return "slept";
}

/** Reports each step; `report` takes how much is done and how much there is. */
export async function progress(steps, report) {
  for (let step = 1; step <= steps; step++) {
    await wait(20);
    await report(step, steps);
  }
  return "done";
}

export const note = { uri: "note://hello", text: "a note" };
export const people = ["Ada", "Alan", "Grace"];
export const greeting = (who) => ({
  messages: [{ role: "user", content: { type: "text", text: `Hello ${who}` } }],
});
export const logged = { method: "notifications/message", params: { level: "warning", data: "logged" } };

/** What is asked in the middle of a call. */
export const form = {
  message: "Who are you?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
export const page = { message: "Agree there", url: "https://example.com/consent" };
export const sampling = {
  messages: [{ role: "user", content: { type: "text", text: "Say something" } }],
  maxTokens: 10,
};

export const text = (value) => ({ content: [{ type: "text", text: value }] });
