// A server with one tool, whose schema is written by hand.
import { serve } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { type Schema, tool, tools } from "@parlance/tool-registry";
import { stdio } from "@parlance/transport-stdio";

const schema = { type: "object", properties: { timeZone: { type: "string" } } };
const input: Schema<{ readonly timeZone?: string }> = {
  "~standard": {
    version: 1,
    vendor: "clock",
    validate: (value) => {
      const timeZone: unknown = Reflect.get(Object(value), "timeZone");
      if (timeZone === undefined) return { value: {} };
      if (typeof timeZone === "string") return { value: { timeZone } };
      return { issues: [{ message: "must be a string", path: ["timeZone"] }] };
    },
    jsonSchema: { input: () => schema, output: () => schema },
  },
};
const time = tool({
  name: "time",
  description: "Tells the time",
  input,
  run: ({ timeZone }) => new Date().toLocaleString("en", { timeZone }),
});
const features = [tools([time])];
await serve(stdio(), createServer({ info: { name: "clock", version: "1.0.0" }, features }));
