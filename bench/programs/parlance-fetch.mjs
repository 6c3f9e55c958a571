import { jsonSchema } from "@parlance/json-schema";
import { createServer } from "@parlance/server";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { features } from "./parlance-serve.mjs";

const server = createServer({ info: { name: "parlance", version: "1.0.0" }, features: features(jsonSchema) });
export const { fetch: handle } = createHttpHandler(server, { auth: anonymous() });
