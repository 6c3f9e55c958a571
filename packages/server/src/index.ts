export type {
  Call,
  Change,
  ChangeBus,
  Feature,
  FeatureSet,
  Implementation,
  Outcome,
  ServerEra,
} from "@parlance/protocol-versions";
export {
  handshakeServer as handshake,
  handshakeVersions,
  logging,
  questions,
  statelessServer as stateless,
} from "@parlance/protocol-versions";
export type { Changes } from "./changes.js";
export { createChangeBus } from "./changes.js";
export { defaultDrainMs } from "./drain.js";
export type { FeatureMiddleware } from "./feature-set.js";
export type { ErrorContext, OnError } from "./masking.js";
export type { HandlerMiddleware, ServerOptions } from "./options.js";
export type { ServerReport } from "./report.js";
export type { ServedEra, Server } from "./server.js";
export { createServer } from "./server.js";
