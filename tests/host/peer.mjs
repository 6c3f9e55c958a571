// A server that says its pid on stderr and answers when it is told to, by SIGUSR2, or at once. Written without Parlance.
import { createInterface } from "node:readline";

const [, , name, mode, waits] = process.argv;
const tools = ["echo", "pid", "never"].map((tool) => ({ name: `${name}_${tool}`, inputSchema: { type: "object" } }));
const serverInfo = { name, version: "1.0.0" };
const capabilities = { tools: {} };
const meta = { "io.modelcontextprotocol/serverInfo": serverInfo };

let answering = waits !== "waits";
const held = [];
process.on("SIGUSR2", () => {
  answering = true;
  for (const message of held.splice(0)) answer(message);
});
process.stderr.write(`pid ${process.pid}\n`);
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (answering) answer(message);
    else held.push(message);
  })
  .on("close", () => process.exit());

function answer({ id, method, params }) {
  if (id === undefined) return;
  const say = (rest) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...rest })}\n`);
  const done = (result) => say({ result: mode === "handshake" ? result : { resultType: "complete", ...result } });
  const cached = { ttlMs: 0, cacheScope: "private" };
  if (method === "server/discover" && mode !== "handshake") {
    return done({ supportedVersions: ["2026-07-28"], capabilities, _meta: meta, ...cached });
  }
  if (method === "initialize" && mode === "handshake") {
    return done({ protocolVersion: params.protocolVersion, capabilities, serverInfo });
  }
  if (method === "tools/list") return done({ tools, ...cached });
  if (method !== "tools/call") return say({ error: { code: -32601, message: `no ${method}` } });
  const { text = `${process.pid}` } = params.arguments ?? {};
  if (!params.name.endsWith("never")) done({ content: [{ type: "text", text }] });
}
