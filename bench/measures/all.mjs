import { measureClients } from "./client.mjs";
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
  measureInstalls,
];
