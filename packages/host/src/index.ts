export type {
  DialEntry,
  HostConfig,
  HttpEntry,
  RestartSettings,
  ServerEntry,
  ServerSettings,
  StdioEntry,
  ToolSelection,
} from "./config/entry.js";
export { type FindOptions, type FoundConfig, findConfig } from "./config/find.js";
export { type ReadOptions, readConfig } from "./config/read.js";
export { configSchema } from "./config/schema.js";
export { hostDefaults } from "./defaults.js";
export type { ServerFailure } from "./failure.js";
export { type Fingerprints, fingerprintKey } from "./fingerprint.js";
export { createHost, type Host } from "./host.js";
export { type ReportLine, reportLine } from "./line.js";
export { selectTools, type ToolMiddleware, withMiddleware } from "./middleware.js";
export { type ModelTool, type ModelToolResult, toModelTools } from "./model-tools.js";
export type { RefusedTool } from "./offer.js";
export type {
  ApprovalRequest,
  Approve,
  HostOptions,
  KnownTools,
  ServerClientOptions,
  StartOptions,
} from "./options.js";
export { type Guard, type GuardedCall, refuseTraversal } from "./pipeline/guard.js";
export { type AuditRecord, type ToolPipelineOptions, toolPipeline } from "./pipeline/pipeline.js";
export type { TruncateOptions } from "./pipeline/truncate.js";
export type { HostReport } from "./report.js";
export type { ServerState } from "./server.js";
export { type ServeProgramOptions, serveProgram } from "./serving.js";
export { startServers } from "./start.js";
export type { ServerStatus } from "./status.js";
