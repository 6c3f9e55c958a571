// Lists the tools of a server over HTTP and calls one. Any server will do: `node dist/main.js https://mcp.example/mcp tool`.
import { connectClient, listTools } from "@parlance/client";
import { http } from "@parlance/transport-http/node";

const [given, toolName = "hello"] = process.argv.slice(2);
const example = given === undefined ? (await import("@parlance/example-http-server")).listening : undefined;
const url = given ?? example?.url ?? "";

const client = await connectClient({ dial: http(url), info: { name: "http-client", version: "1.0.0" } });
const { era, version, info } = client.server;
console.log(`${info?.name ?? url} speaks ${version} (${era})`);

for (const { name, description } of await listTools(client)) console.log(`  ${name}: ${description}`);

const { content } = await client.callTool(toolName);
console.log(content);

await client.close();
await example?.close();
