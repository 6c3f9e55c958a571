// Validation without `format`, which is asked for by name.
import { jsonSchema } from "@parlance/json-schema";

const schema = jsonSchema(JSON.parse(process.argv[2] ?? "{}"));
const result = await schema["~standard"].validate(JSON.parse(process.argv[3] ?? "null"));
process.stdout.write(JSON.stringify(result));
