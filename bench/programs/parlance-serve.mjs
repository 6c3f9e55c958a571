import { serve as serveOn } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { stdio } from "@parlance/transport-stdio";
import { echoDescription, echoSchema, recordSchema, records, textResult } from "./tools.mjs";

export function serve(schema) {
  const echo = tool({
    name: "echo",
    description: echoDescription,
    input: schema(echoSchema),
    run: ({ text }) => textResult(text),
  });
  const finders = records.map(({ name, description }) =>
    tool({ name, description, input: schema(recordSchema()), run: () => textResult("found") }),
  );
  const features = [createToolRegistry(finders.length > 0 ? finders : [echo])];
  return serveOn(stdio(), createServer({ info: { name: "parlance", version: "1.0.0" }, features }));
}
