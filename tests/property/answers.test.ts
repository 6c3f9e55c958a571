import { connect, type RequestId } from "@parlance/jsonrpc";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLine, line } from "../fuzz/line.js";
import { createSubject } from "../fuzz/subject.js";
import { corpus, id, mutant } from "./arbitrary.js";
import { expectedOf } from "./oracle.js";

const server = createSubject();
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Answer {
  readonly id?: RequestId;
  readonly method?: string;
}

/** What one connection sends for these frames, once everything that can settle has. */
async function answersTo(frames: readonly string[]): Promise<readonly Answer[]> {
  const sent: Answer[] = [];
  const wire = createLine((text) => void sent.push(...[JSON.parse(text)].flat()));
  const peer = await connect(wire.transport, server);
  for (const frame of frames) {
    wire.feed(line(frame));
    await Promise.resolve();
  }
  await turn();
  const answers = sent.filter(({ method }) => method === undefined);
  await peer.close();
  return answers;
}

/** All microtasks, and what they start. */
async function turn(): Promise<void> {
  for (let n = 0; n < 2; n++) await new Promise((resolve) => void setImmediate(resolve));
}

const request = (key: RequestId, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: key, method, params });

/** Calls that are answered by the turn of the event loop at the latest, in both eras. */
const settling = fc
  .tuple(
    fc.constantFrom("ping", "tools/list", "tools/call", "server/discover", "initialize", "logging/setLevel", "nothing"),
    fc.constantFrom("echo", "later", "steps", "shape", "fail", "protest", "unknown"),
    fc.boolean(),
  )
  .map(([method, name, stateless]): [string, object] => {
    const meta = stateless ? { _meta: envelope } : {};
    return [method, { name, arguments: { text: "t" }, level: "info", protocolVersion: "2025-11-25", ...meta }];
  });

/** The messages with which a session of some revision begins, or some of them, or none. */
const opening = fc
  .tuple(fc.constantFrom(...corpus), fc.nat({ max: 3 }))
  .map(([{ toServer }, length]) => toServer.slice(0, length).map(withIdOfItsOwn));

function withIdOfItsOwn(text: string, index: number): string {
  const message: { readonly id?: RequestId } = JSON.parse(text);
  return JSON.stringify(message.id === undefined ? message : { ...message, id: `opening ${index}` });
}

describe("a server", () => {
  test("JR-08, JR-13, JR-16: answers each request once, by its id with its type, and nothing else", async () => {
    const notifications = fc.constantFrom("notifications/initialized", "notifications/x", "tools/call");
    const mixed = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(id, settling).map(([key, [method, params]]) => request(key, method, params)) },
      { weight: 1, arbitrary: notifications.map((method) => JSON.stringify({ jsonrpc: "2.0", method, params: {} })) },
      { weight: 1, arbitrary: id.map((key) => JSON.stringify({ jsonrpc: "2.0", id: key, result: {} })) },
    );
    await fc.assert(
      fc.asyncProperty(opening, fc.array(mixed, { maxLength: 12 }), async (first, rest) => {
        const frames = unique([...first, ...rest]);
        const asked = frames
          .map((frame) => JSON.parse(frame))
          .filter((message) => "method" in message && "id" in message);
        const answers = await answersTo(frames);
        expect(sorted(answers.map((answer) => answer.id))).toEqual(sorted(asked.map((message) => message.id)));
      }),
      { numRuns: 200 },
    );
  });

  test("JR-16: answers no more than may be a request, whatever comes and in whatever state", async () => {
    await fc.assert(
      fc.asyncProperty(opening, fc.array(mutant, { maxLength: 20 }), async (first, rest) => {
        const frames = [...first, ...rest];
        const answers = await answersTo([...frames, request("last", "tools/list", { _meta: envelope })]);
        expect(answers.filter((answer) => answer.id === "last")).toHaveLength(1);
        // a batch of the revision that has them is answered for each of its elements
        if (frames.some((frame) => frame.trimStart().startsWith("["))) return;
        expect(answers.length).toBeLessThanOrEqual(frames.filter(isAnswered).length + 1);
      }),
      { numRuns: 200 },
    );
  });
});

function isAnswered(frame: string): boolean {
  if (frame.trim() === "") return false;
  const expected = expectedOf(frame);
  return expected.kind === "request" || (expected.kind === "malformed" && expected.answered);
}

/** One request an id: what a second one with the same id gets depends on whether the first is still running. */
function unique(frames: readonly string[]): readonly string[] {
  const seen = new Set<unknown>();
  return frames.filter((frame) => {
    const { id: key, method } = JSON.parse(frame);
    if (key === undefined || method === undefined) return true;
    return !seen.has(key) && seen.add(key);
  });
}

function sorted(ids: readonly unknown[]): readonly string[] {
  return ids.map((key) => JSON.stringify(key) ?? "none").sort();
}
