export { missingCapabilities } from "./capability.js";
export type { Change, ChangeBus } from "./change.js";
export { clientEras } from "./client-eras.js";
export type {
  CallOptions,
  CallResult,
  ClientEra,
  ClientSelf,
  KnownServer,
  Opened,
  OpenOptions,
  ServerAnnouncement,
  ServerEra,
  ServerFacts,
  Session,
} from "./era.js";
export type { CacheHint, Call, Caller, Feature, FeatureSet, Outcome } from "./feature.js";
export type { HandshakeClientOptions } from "./handshake/client.js";
export { handshakeClient } from "./handshake/client.js";
export type { HandshakeServerOptions } from "./handshake/server.js";
export { handshakeServer } from "./handshake/server.js";
export { logging } from "./logging.js";
export type { ClientCapabilities, ServerCapabilities } from "./model/capability.js";
export type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
  UnknownContent,
} from "./model/content.js";
export type { Icon } from "./model/icon.js";
export type { Implementation } from "./model/implementation.js";
export type { InputRequests, InputResponses } from "./model/input.js";
export type { LogLevel } from "./model/log-level.js";
export { logLevels } from "./model/log-level.js";
export type { CallToolResult, ToolAnnotations, ToolDefinition } from "./model/tool.js";
export { serverEras } from "./server-eras.js";
export type { StatelessClientOptions } from "./stateless/client.js";
export { statelessClient } from "./stateless/client.js";
export { statelessServer } from "./stateless/server.js";
export type { EraName, ProtocolVersion } from "./version.js";
export { handshakeVersions, statelessVersions } from "./version.js";
