export { announcing } from "./announcing.js";
export { answerFault } from "./answer-fault.js";
export type {
  AskedPage,
  Asking,
  Checked,
  Elicited,
  FieldValue,
  FormFields,
  FormOf,
  FormValues,
} from "./asking.js";
export type { BusOptions } from "./bus.js";
export { createChangeBus } from "./bus.js";
export { cannotAsk, changedCall } from "./call.js";
export { capabilitiesFor, mergeCapabilities, missingCapabilities } from "./capability.js";
export type { Change, ChangeBus } from "./change.js";
export { changeIn } from "./change-in.js";
export { clientEras } from "./client-eras.js";
export { blocksOf, samplingFault } from "./dialogue.js";
export type {
  CallOptions,
  CallResult,
  ClientEra,
  ClientSelf,
  Opened,
  OpenOptions,
  PagesFirst,
  ServerAnnouncement,
  ServerEra,
  ServerFacts,
  Session,
  Settled,
} from "./era.js";
export type { ExtensionFacts, ExtensionOptions, ListenKey } from "./extension.js";
export { checkExtensionId, declaredExtension, extension } from "./extension.js";
export type {
  CacheHint,
  Call,
  Caller,
  ErrorContext,
  Feature,
  FeatureSet,
  InputRequired,
  OnError,
  Outcome,
  Refused,
} from "./feature.js";
export { formDefaults, formFaults } from "./form.js";
export { handshakeClient } from "./handshake/client.js";
export { handshakeServer } from "./handshake/server.js";
export type { HandshakeOptions } from "./handshake/versions.js";
export { isJsonObject } from "./json-object.js";
export { listening } from "./listening.js";
export type { Listen, ListenEnd, ListenEvent, Listening, ListenLine, ListenOrder } from "./listens.js";
export { listens } from "./listens.js";
export type { LoggingOptions } from "./logging.js";
export { defaultLogRate, logging } from "./logging.js";
export type { Meta, ReservedPrefixes } from "./meta-key.js";
export { checkMeta, isReservedMetaKey, meta, metaKeyFault } from "./meta-key.js";
export type { ClientCapabilities, ServerCapabilities } from "./model/capability.js";
export type { CompleteParams, CompleteResult, CompletionReference } from "./model/completion.js";
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
export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  ElicitParams,
  ElicitResult,
  FormField,
  FormSchema,
  NumberField,
  StringField,
  TitledChoice,
} from "./model/elicitation.js";
export type { Icon } from "./model/icon.js";
export type { Implementation } from "./model/implementation.js";
export type { InputRequests, InputResponses } from "./model/input.js";
export { askingMethods } from "./model/input.js";
export type { ListenFilter } from "./model/listen.js";
export type { LogLevel, LogParams } from "./model/log-level.js";
export { logLevels } from "./model/log-level.js";
export type { ProgressParams, ProgressToken } from "./model/progress.js";
export type { GetPromptResult, PromptArgument, PromptDefinition, PromptMessage } from "./model/prompt.js";
export type { ReadResourceResult, ResourceDefinition, ResourceTemplateDefinition } from "./model/resource.js";
export type { ListRootsResult, Root } from "./model/root.js";
export type {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from "./model/sampling.js";
export type { CallToolResult, ToolAnnotations, ToolDefinition } from "./model/tool.js";
export type { Page, Pages } from "./pages.js";
export { paged } from "./pages.js";
export type { Sealing, SessionAnswers } from "./questions.js";
export { questions, sessionAnswers } from "./questions.js";
export { questionsIn } from "./questions-in.js";
export type { Downgrade, Served, ServedSession } from "./served.js";
export { served } from "./served.js";
export { serverEras } from "./server-eras.js";
export type { StatelessClientOptions } from "./stateless/client.js";
export { statelessClient } from "./stateless/client.js";
export type { StatelessServerOptions } from "./stateless/server.js";
export { statelessServer } from "./stateless/server.js";
export type { TraceContext } from "./trace.js";
export { readTrace } from "./trace.js";
export type { EraName, ProtocolVersion } from "./version.js";
export { completesInContext, handshakeVersions, statelessVersions } from "./version.js";
export type { Watcher, Watching } from "./watching.js";
export { maxWatched, watchAll, watching } from "./watching.js";
