// A server that does something wrong, of either era: what it is told to as its argument, or what the called tool is
// named for. It is written without Parlance, and writes at once, so that what it wrote is out when it dies.
import { closeSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setImmediate as turn } from "node:timers/promises";

const [, , fault = ""] = process.argv;
const serverInfo = { name: "victim", version: "1.0.0" };
const capabilities = { tools: {} };

const die = () => process.kill(process.pid, "SIGKILL");
const line = (message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const say = (message) => writeSync(1, line(message));
const half = (message) => writeSync(1, line(message).slice(0, 30));
const content = (text) => ({ resultType: "complete", content: [{ type: "text", text }] });
const result = (id, text) => ({ id, result: content(text) });

const tools = {
  answer: (id) => say(result(id, "answer")),
  pid: (id) => say(result(id, `${process.pid}`)),
  "die before the answer": () => die(),
  "die within the answer": (id) => {
    half(result(id, "cut"));
    die();
  },
  "die before the newline": (id) => {
    writeSync(1, line(result(id, "whole")).trimEnd());
    die();
  },
  "die after the answer": (id) => {
    say(result(id, "last words"));
    die();
  },
  "die after progress": (_id, { _meta }) => {
    say({ method: "notifications/progress", params: { progressToken: _meta?.progressToken, progress: 1 } });
    die();
  },
  "die when cancelled": () => {},
  never: () => {},
  "answer twice": (id) => {
    say(result(id, "first"));
    say(result(id, "second"));
    say({ id, error: { code: -32000, message: "third" } });
  },
  "answer others": (id) => {
    for (const foreign of [id + 1_000, `${id}`, -id, "", 0]) say(result(foreign, "foreign"));
    say(result(id, "own"));
  },
  "answer when cancelled": () => {},
  "answer nonsense": (id) => {
    for (const text of ["{", "[]", "null", "7", '"text"', "{}", '{"jsonrpc":"1.0"}', `{"jsonrpc":"2.0","result":1}`]) {
      writeSync(1, `${text}\n`);
    }
    say(result(id, "sense"));
  },
  "answer both ways": (id) => say({ ...result(id, "good"), error: { code: 1, message: "bad" } }),
  "close stdout": () => closeSync(1),
  "close stdin": () => {
    process.stdin.destroy();
    closeSync(0);
  },
  "stop reading": () => process.stdin.pause(),
  flood: (id, { arguments: { count, text } }) => {
    for (let n = 0; n < count; n++) say({ method: "notifications/message", params: { level: "info", data: text } });
    say(result(id, "flooded"));
  },
  ask: async (id, { arguments: { count } }) => {
    for (let n = 0; n < count; n++) {
      say({ id: `asked ${n}`, method: "ping" });
      // so that the answers are read
      if (n % 100 === 0) await turn();
    }
    say(result(id, "asked"));
  },
  "ask without reading": (id, { arguments: { count } }) => {
    process.stdin.pause();
    for (let n = 0; n < count; n++) say({ id: `asked ${n}`, method: "ping" });
    say(result(id, "asked"));
  },
  stray: (id, { arguments: { count } }) => {
    for (let n = 0; n < count; n++) say(result(`stray ${n}`, "stray"));
    say(result(id, "strayed"));
  },
};

if (fault === "die at the start") die();
if (fault === "close stdout at the start") closeSync(1);

let cancelled = () => {};
createInterface({ input: process.stdin }).on("line", (text) => {
  const { id, method, params } = JSON.parse(text);
  switch (method) {
    case "initialize":
      return introduce(id, { protocolVersion: params.protocolVersion, capabilities, serverInfo });
    case "server/discover": {
      const known = { supportedVersions: ["2026-07-28"], ttlMs: 0, cacheScope: "private", resultType: "complete" };
      return introduce(id, { ...known, capabilities, _meta: { "io.modelcontextprotocol/serverInfo": serverInfo } });
    }
    case "notifications/cancelled":
      return cancelled(params.requestId);
    case "tools/call":
      if (params.name === "die when cancelled") cancelled = die;
      if (params.name === "answer when cancelled") cancelled = (late) => say(result(late, "late"));
      return tools[params.name](id, params);
    default:
      return undefined;
  }
});
// what would be the end of a server is not its own
if (fault === "outlive stdin") setInterval(() => {}, 1_000);

function introduce(id, introduction) {
  if (fault === "die before the introduction") die();
  if (fault === "die within the introduction") {
    half({ id, result: introduction });
    die();
  }
  say({ id, result: introduction });
  if (fault === "die after the introduction") die();
}
