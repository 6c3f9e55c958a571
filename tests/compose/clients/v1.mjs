// The official client of the handshake era at a gateway: prints what it sees, as one JSON object. A message says when it
// waits for a change.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

const [url] = process.argv.slice(2);
const client = new Client(
  { name: "v1", version: "1.0.0" },
  { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
);
client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name: "Ada" } }));
const content = { type: "text", text: "Ho" };
client.setRequestHandler(CreateMessageRequestSchema, () => ({ role: "assistant", content, model: "m" }));
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///a" }] }));
const logs = [];
client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logs.push(params.data));
const changed = new Promise((resolve) => {
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
});
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);
await client.setLoggingLevel("info");

const call = async (name, args = {}, options = {}) =>
  (await client.callTool({ name, arguments: args }, undefined, options)).content;
const names = ({ tools }) => tools.map(({ name }) => name);
const progress = [];
const stop = new AbortController();
const first = await client.listTools();

const seen = {
  first: names(first),
  second: names(await client.listTools({ cursor: first.nextCursor })),
  rich: await call("rich", { text: "hi" }),
  resource: (await client.readResource({ uri: "note://a" })).contents[0].text,
  prompt: (await client.getPrompt({ name: "review", arguments: { style: "kind" } })).messages[0].content.text,
  asked: await call("ask"),
  steps: await call("steps", {}, { onprogress: (one) => progress.push(one.progress) }),
  progress,
  logs,
  stopped: await call("wait", {}, { signal: stop.signal, onprogress: () => stop.abort(new Error("enough")) }).catch(
    (error) => `${error}`,
  ),
};
process.send("waits");
await changed;
seen.changed = names(await client.listTools());
await transport.terminateSession();
await client.close();
process.disconnect();
process.stdout.write(JSON.stringify(seen));
