import { spawn } from "node:child_process";
import { once } from "node:events";

const version = "2026-07-28";
const clientInfo = { name: "bare", version: "1.0.0" };
const prefix = "io.modelcontextprotocol/";
const envelope = {
  [`${prefix}protocolVersion`]: version,
  [`${prefix}clientInfo`]: clientInfo,
  [`${prefix}clientCapabilities`]: {},
};

export async function connect({ era, command, args }) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  let rest = "";
  let lastId = 0;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const { id, result } = JSON.parse(line);
      waiting.get(id)(result);
      waiting.delete(id);
    }
  });

  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      send({ id, method, params: era === "stateless" ? { ...params, _meta: envelope } : params });
    });

  if (era === "handshake") {
    await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    send({ method: "notifications/initialized" });
  }
  return {
    call: async (text) => (await request("tools/call", { name: "echo", arguments: { text } })).content[0].text,
    close: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}
