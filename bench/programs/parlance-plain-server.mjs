// Without a schema library: what is a schema is written by hand.
import { serve } from "./parlance-serve.mjs";

await serve((json) => ({
  "~standard": {
    version: 1,
    vendor: "bench",
    validate: (value) =>
      typeof value.text === "string" ? { value } : { issues: [{ message: "text must be a string" }] },
    jsonSchema: { input: () => json, output: () => json },
  },
}));
