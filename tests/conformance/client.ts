// The client that the official suite runs: `node client.js URL`. Which scenario it plays, the environment says.
import { answers, type Client, connectClient } from "@parlance/client";
import { http } from "@parlance/transport-http/node";
import { answering, scenarios } from "./client-scenarios.js";

/** The suite's own limit ends only what started this program, so it has one of its own. */
const lifeMs = 25_000;

const url = process.argv.at(-1) ?? "";
const name = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const play = scenarios[name];
if (play === undefined) {
  process.stderr.write(`no scenario is called ${JSON.stringify(name)}\n`);
  process.exit(1);
}
setTimeout(() => process.exit(1), lifeMs).unref();

const context: unknown = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
const client: Client = await connectClient({
  dial: http(url),
  info: { name: "parlance-conformance", version: "1.0.0" },
  answers: answers(answering),
  report: (report) => process.stderr.write(`${JSON.stringify(report)}\n`),
});
await play(client, context);
await client.close();
