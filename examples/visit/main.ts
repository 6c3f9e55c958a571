// Starts a server of these examples, which prints its URL, and reaches it in both eras: `node dist/main.js program.js`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { connectClient, handshake, meta, stateless } from "@parlance/client";
import { http } from "@parlance/transport-http/node";

// more than frameworks take by default, less than the limit of Parlance
const large = meta({ "example.com/padding": "x".repeat(3 * 1024 * 1024) });
const [program = ""] = process.argv.slice(2);
const child = spawn(process.execPath, ["--import", new URL("../once.mjs", import.meta.url).href, program], {
  env: { ...process.env, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const [url = ""] = await once(createInterface({ input: child.stdout }), "line");
  for (const era of [stateless(), handshake()]) {
    const client = await connectClient({
      dial: http(url),
      eras: [era],
      info: { name: "visit", version: "1.0.0" },
    });
    const { content } = await client.callTool("hello", {}, { meta: large });
    console.log(client.server.version, content);
    await client.close();
  }
} finally {
  child.kill("SIGTERM");
}
const [code] = await once(child, "exit");
if (code !== 0) throw new Error(`${program} ended with ${code} when it was asked to end`);
