import { fork } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { connectClient } from "@parlance/client";
import { passQuestions, proxyFeatures } from "@parlance/client/proxy";
import { over } from "@parlance/jsonrpc";
import { createServer, questions, type Server, stateless } from "@parlance/server";
import { mount } from "@parlance/server/compose";
import { connectInMemory } from "@parlance/testing";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { listen } from "@parlance/transport-http/node";
import { spawn } from "@parlance/transport-stdio";
import { afterEach, expect, test } from "vitest";
import { createOrigin } from "./origin.js";

// Programs of others at the gateway, each of which knows one era only.

const info = { name: "gateway", version: "1.0.0" };
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(server: Server): Promise<string> {
  const http = await listen(createHttpHandler(server, { auth: anonymous() }));
  ends.push(http.close, server.close);
  return http.url;
}

/** Runs a client to its end, in a process where packages are found as their users find them. */
async function seenBy(program: string, url: string, waits?: () => void): Promise<unknown> {
  const child = fork(join(import.meta.dirname, `clients/${program}.mjs`), [url], { execArgv: [], silent: true });
  child.on("message", () => waits?.());
  if (child.stdout === null || child.stderr === null) throw new Error("its output is not piped");
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe("");
  return JSON.parse(out);
}

const has = (part: string): unknown => expect.stringContaining(part);

test("the reference server, which shakes hands, seen statelessly by the official client", {
  timeout: 60_000,
}, async () => {
  const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
  const args = [join(dirname(manifest), "dist/index.js"), "stdio"];
  const dial = over(spawn({ command: process.execPath, args }));
  const remote = await connectClient({ dial, info, answers: passQuestions() });
  ends.push(remote.close);
  expect(remote.server.era).toBe("handshake");
  const features = [questions(), mount("ref_", proxyFeatures(remote))];
  const url = await serve(createServer({ info, features, eras: [stateless()] }));
  expect(await seenBy("v2", url)).toEqual({
    version: "2026-07-28",
    tools: expect.arrayContaining(["ref_get-sum", "ref_trigger-elicitation-request"]),
    sum: has("42"),
    resource: has("Features"),
    prompt: has("Lyon"),
    values: ["Engineering"],
    form: expect.stringMatching(/Name: Ada[\s\S]*Favorite Integer: 7/),
    sampled: has("Ho"),
    roots: has("file:///a"),
    progressed: has("completed"),
    progress: expect.arrayContaining([1, 2]),
    stopped: has("enough"),
    after: has("still here"),
  });
});

test("a server that is only spoken to statelessly, seen by the official client of the handshake", {
  timeout: 60_000,
}, async () => {
  const origin = createOrigin();
  const remote = await connectInMemory(origin.server, { era: "stateless", answers: passQuestions() });
  ends.push(remote.close);
  const url = await serve(createServer({ info, features: [questions(), proxyFeatures(remote)] }));
  expect(await seenBy("v1", url, () => void origin.tools.remove("fail"))).toEqual({
    first: ["ask", "fail"],
    second: ["rich", "steps"],
    rich: [
      expect.objectContaining({ type: "text", text: "hi" }),
      expect.objectContaining({ type: "resource_link" }),
      expect.objectContaining({ type: "audio" }),
    ],
    resource: "A",
    prompt: "Be kind",
    asked: [{ type: "text", text: "Ada m file:///a" }],
    steps: [{ type: "text", text: "done" }],
    progress: expect.arrayContaining([1]),
    logs: ["working"],
    stopped: has("enough"),
    changed: ["ask", "rich"],
  });
  expect(await origin.calledOff).toBeInstanceOf(Error);
});
