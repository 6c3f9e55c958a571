// The official client of the stateless era at a gateway: prints what it sees, as one JSON object.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url] = process.argv.slice(2);
const client = new Client(
  { name: "v2", version: "1.0.0" },
  {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
  },
);
client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada", integer: 7 } }));
const content = { type: "text", text: "Ho" };
client.setRequestHandler("sampling/createMessage", () => ({ role: "assistant", content, model: "m" }));
client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///a" }] }));
await client.connect(new StreamableHTTPClientTransport(new URL(url)));

const call = async (name, args = {}, options = {}) =>
  (await client.callTool({ name, arguments: args }, options)).content.map(({ text }) => text).join("\n");
const long = "ref_trigger-long-running-operation";
const uri = "demo://resource/static/document/features.md";
const progress = [];
const stop = new AbortController();
const argument = { name: "department", value: "E" };

const seen = {
  version: client.getNegotiatedProtocolVersion(),
  tools: (await client.listTools()).tools.map(({ name }) => name),
  sum: await call("ref_get-sum", { a: 19, b: 23 }),
  resource: (await client.readResource({ uri })).contents[0].text,
  prompt: (await client.getPrompt({ name: "ref_args-prompt", arguments: { city: "Lyon" } })).messages[0].content.text,
  values: (await client.complete({ ref: { type: "ref/prompt", name: "ref_completable-prompt" }, argument })).completion
    .values,
  form: await call("ref_trigger-elicitation-request"),
  sampled: await call("ref_trigger-sampling-request", { prompt: "Hi" }),
  roots: await call("ref_get-roots-list"),
  progressed: await call(long, { duration: 0.3, steps: 3 }, { onprogress: (one) => progress.push(one.progress) }),
  progress,
  stopped: await call(
    long,
    { duration: 60, steps: 120 },
    { signal: stop.signal, onprogress: () => stop.abort(new Error("enough")) },
  ).catch((error) => `${error}`),
  after: await call("ref_echo", { message: "still here" }),
};
await client.close();
process.stdout.write(JSON.stringify(seen));
