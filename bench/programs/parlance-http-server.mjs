import { jsonSchema } from "@parlance/json-schema";
import { changesOf, createServer } from "@parlance/server";
import { anonymous, createHttpHandler, handshakeBinding, statelessBinding } from "@parlance/transport-http";
import { listen } from "@parlance/transport-http/node";
import { serveBench } from "./http-bench.mjs";
import { features } from "./parlance-serve.mjs";

const answers = process.env.BENCH_ANSWERS ?? "auto";
const server = createServer({ info: { name: "parlance", version: "1.0.0" }, features: features(jsonSchema) });
const handler = createHttpHandler(server, {
  auth: anonymous(),
  bindings: [statelessBinding({ answers }), handshakeBinding({ answers })],
});
const { port } = await listen(handler);
serveBench(port, () => changesOf(server).tools());
