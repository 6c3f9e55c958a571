// A server with one tool, its arguments validated.
import { jsonSchema } from "@parlance/json-schema";
import { serve } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { tool, tools } from "@parlance/tool-registry";
import { stdio } from "@parlance/transport-stdio";

const input = jsonSchema<{ name: string }>({
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
});
const greet = tool({ name: "greet", description: "Greets somebody", input, run: ({ name }) => `Hello, ${name}!` });
const features = [tools([greet])];
await serve(stdio(), createServer({ info: { name: "greeter", version: "1.0.0" }, features }));
