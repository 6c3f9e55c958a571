import { serve as serveOn } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { stdio } from "@parlance/transport-stdio";
import { echoDescription, echoSchema, recordSchema, records, textResult } from "./tools.mjs";

export function features(schema) {
  const echo = tool({
    name: "echo",
    description: echoDescription,
    input: schema(echoSchema),
    run: ({ text }) => textResult(text),
  });
  const finders = records.map(({ name, description }) =>
    tool({ name, description, input: schema(recordSchema()), run: () => textResult("found") }),
  );
  return [createToolRegistry(finders.length > 0 ? finders : [echo])];
}

export function serve(schema) {
  const info = { name: "parlance", version: "1.0.0" };
  return serveOn(stdio(), createServer({ info, features: features(schema) }));
}
