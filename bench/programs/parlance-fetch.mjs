import { jsonSchema } from "@parlance/json-schema";
import { createServer } from "@parlance/server";
import { anonymous, createHttpHandler, toFetch } from "@parlance/transport-http";
import { features } from "./parlance-serve.mjs";

const server = createServer({ info: { name: "parlance", version: "1.0.0" }, features: features(jsonSchema) });
export const handle = toFetch(createHttpHandler(server, { auth: anonymous() }));
