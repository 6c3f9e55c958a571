import { measureClients } from "./client.mjs";
import { measureHttp } from "./http.mjs";
import { measureFetch, measureHttpClients, measureStreams } from "./http-others.mjs";
import { measureInstalls } from "./install.mjs";
import { measureRegistries } from "./registry.mjs";
import { measureServers } from "./server.mjs";
import { measureImports, measureStarts } from "./start.mjs";

export const measures = [
  measureServers,
  measureClients,
  measureImports,
  measureStarts,
  measureRegistries,
  measureHttp,
  measureFetch,
  measureHttpClients,
  measureStreams,
  measureInstalls,
];
