import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { buildProgram } from "../matrix/transports.js";

const program = buildProgram(new URL("http-program.ts", import.meta.url));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  program.remove();
});

const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Sends one request without a session, and reads its stream up to what it says first. */
async function stream(url: string, method: string, params: object): Promise<() => Promise<string>> {
  const { name }: { readonly name?: string } = params;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, _meta: { ..._meta, progressToken: 0 } },
    }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { value: first = "" } = (await reader?.read()) ?? {};
  return async () => {
    let rest = first;
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) rest += next.value;
    return rest;
  };
}

/** Opens a session, and its stream of what belongs to no request. */
async function session(url: string): Promise<Response> {
  const clientInfo = { name: "c", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const opened = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  await opened.text();
  const id = opened.headers.get("mcp-session-id") ?? "";
  return fetch(url, { headers: { accept: "text/event-stream", "mcp-session-id": id } });
}

test("SUB-12: a server that is told to end by SIGTERM ends its streams in good order, answers what runs, and exits with 0", async () => {
  const child = spawn(process.execPath, [program.file], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const exit = once(child, "exit");
  const [url] = await once(createInterface({ input: child.stdout }), "line");
  const standalone = await session(url);
  const listen = await stream(url, "subscriptions/listen", { notifications: { toolsListChanged: true } });
  const call = await stream(url, "tools/call", { name: "wait", arguments: {} });
  child.kill("SIGTERM");
  expect(await standalone.text()).toBe("");
  expect(await listen()).toMatch(/"id":1,"result":\{.*\n\n$/);
  expect(await call()).toMatch(/"id":1,"result":\{.*told to end.*\n\n$/);
  expect(await exit).toEqual([0, null]);
});
