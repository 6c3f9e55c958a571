// An agent whose model is a script: it is told of the tools as a model is, and picks them by what it is told.
import { fileURLToPath } from "node:url";
import { type ModelTool, startServers, toModelTools, toolPipeline, withMiddleware } from "@parlance/host";
import { jsonSchema } from "@parlance/json-schema";
import { createToolRegistry, tool } from "@parlance/tool-registry";

/** What a model answers: calls of tools, their arguments as text, or the end. */
interface Answer {
  readonly calls: readonly { readonly name: string; readonly args: string }[];
  readonly text?: string;
}

/** Stands in for the API of a model: it is given what tools said so far, and what tools there are. */
function model(said: readonly string[], tools: readonly ModelTool[]): Answer {
  const find = (word: string) => tools.find(({ description }) => description.includes(word))?.name ?? "none";
  const greet = (name: string) => ({ name: find("Greets"), args: JSON.stringify({ name }) });
  const [greeting, refusal, letters] = said;
  if (greeting === undefined) return { calls: [greet("Ada"), greet("Mallory")] };
  if (letters === undefined) return { calls: [{ name: find("Counts"), args: greeting }] };
  return { calls: [], text: `I said "${greeting}" in ${letters} letters. To Mallory: ${refusal}.` };
}

const count = tool({
  name: "text.count",
  description: "Counts letters",
  input: jsonSchema<{ input: string }>({ type: "object", properties: { input: { type: "string" } } }),
  run: ({ input }) => `${input.replace(/[^a-z]/gi, "").length}`,
});
const registry = createToolRegistry([count]);
const greeter = fileURLToPath(import.meta.resolve("@parlance/example-stdio-server"));
const config = { servers: { greeter: { command: process.execPath, args: [greeter] } } };
const host = await startServers(config, registry, {
  approve: ({ args }) => args["name"] !== "Mallory" || "we do not talk to Mallory",
});

const tools = toModelTools(withMiddleware(registry, [toolPipeline()]));
console.log(tools.map(({ name, description }) => `${name}: ${description}`));
const said: string[] = [];
for (;;) {
  const { calls, text } = model(said, tools);
  if (text !== undefined) {
    console.log(text);
    break;
  }
  for (const { name, args } of calls) {
    const answer = await tools.find((each) => each.name === name)?.call(args);
    console.log(`${name}(${args}) → ${answer?.text}`);
    said.push(answer?.text ?? `there is no tool ${name}`);
  }
}
await host.close();
