import { jsonSchema } from "@parlance/json-schema";
import { serve } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { tool, tools } from "@parlance/tool-registry";
import { stdio } from "@parlance/transport-stdio";

const name = jsonSchema<{ name: string }>({
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
});
const greet = tool({
  name: "greet",
  description: "Greets somebody",
  input: name,
  run: ({ name }) => `Hello, ${name}!`,
});

await serve(stdio(), createServer({ info: { name: "greeter", version: "1.0.0" }, features: [tools([greet])] }));
