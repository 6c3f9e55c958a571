// A client that reaches a server over HTTP and calls one tool.
import { connectClient } from "@parlance/client";
import { http } from "@parlance/transport-http/node";

const [url = ""] = process.argv.slice(2);
const client = await connectClient({ dial: http(url), info: { name: "caller", version: "1.0.0" } });
const { content } = await client.callTool("time", {});
process.stdout.write(JSON.stringify(content));
await client.close();
