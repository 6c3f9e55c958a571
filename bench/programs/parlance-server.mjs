import { jsonSchema } from "@parlance/json-schema";
import { serve } from "./parlance-serve.mjs";

await serve(jsonSchema);
