// Starts a server, lists its tools and calls one. Any command will do: `node dist/main.js npx -y some-mcp-server`.
import { fileURLToPath } from "node:url";
import { connectClient, listTools } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { spawn } from "@parlance/transport-stdio";

const greeter = [process.execPath, fileURLToPath(import.meta.resolve("@parlance/example-stdio-server"))];
const [command = "", ...args] = process.argv.length > 2 ? process.argv.slice(2) : greeter;

const client = await connectClient({
  dial: over(spawn({ command, args })),
  info: { name: "stdio-client", version: "1.0.0" },
});
const { era, version, info } = client.server;
console.log(`${info?.name ?? command} speaks ${version} (${era})`);

for (const { name, description } of await listTools(client)) console.log(`  ${name}: ${description}`);

const { content } = await client.callTool("greet", { name: "Ada" });
console.log(content);

await client.close();
