import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { connectClient, listen } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { spawn } from "@parlance/transport-stdio";
import { expect, test } from "vitest";

const uri = "demo://resource/static/document/features.md";

test("RSC-11: the official reference server tells whoever listens of a resource", { timeout: 20_000 }, async () => {
  const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
  const [command, args] = [process.execPath, [join(dirname(manifest), "dist/index.js"), "stdio"]];
  const client = await connectClient({ dial: over(spawn({ command, args })), info: { name: "c", version: "1" } });
  let heard: (event: unknown) => void = () => undefined;
  const first = new Promise((resolve) => {
    heard = resolve;
  });
  const { honored, close } = await listen(client, { resourceSubscriptions: [uri] }, (event) => heard(event));
  expect([client.server.era, honored]).toEqual(["handshake", { resourceSubscriptions: [uri] }]);
  await client.callTool("toggle-subscriber-updates");
  expect(await first).toEqual({ type: "resource", uri });
  await close();
  await client.close();
});
