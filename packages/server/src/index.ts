export type {
  AskedPage,
  Asking,
  CacheHint,
  Call,
  Change,
  ChangeBus,
  Elicited,
  ErrorContext,
  ExtensionFacts,
  ExtensionOptions,
  Feature,
  FeatureSet,
  FormFields,
  FormOf,
  Implementation,
  ListenKey,
  LoggingOptions,
  OnError,
  Outcome,
  Pages,
  ServerEra,
} from "@parlance/protocol-versions";
export {
  announcing,
  createChangeBus,
  declaredExtension,
  extension,
  handshakeServer as handshake,
  handshakeVersions,
  listening,
  logging,
  paged,
  statelessServer as stateless,
} from "@parlance/protocol-versions";
export type { AddOptions, CatalogOptions } from "./catalog.js";
export type { Changes } from "./changes.js";
export { changesOf } from "./changes.js";
export type { Completed, Completer } from "./completion/completer.js";
export type { Described } from "./definition.js";
export { defaultDrainMs } from "./drain.js";
export type { FeatureMiddleware } from "./feature-set.js";
export { type LintReport, lint } from "./lint.js";
export type { HandlerMiddleware, ServerOptions } from "./options.js";
export type {
  AnyPrompt,
  Prompt,
  PromptLine,
  PromptParameter,
  PromptParameters,
  PromptReturn,
  PromptValues,
} from "./prompts/prompt.js";
export { prompt } from "./prompts/prompt.js";
export type { Prompts, PromptsOptions } from "./prompts/prompts.js";
export { createPrompts } from "./prompts/prompts.js";
export type { Answering } from "./questions/ask.js";
export { createAsking } from "./questions/ask.js";
export type { QuestionsOptions } from "./questions/questions.js";
export { defaultStateTtlMs, questions } from "./questions/questions.js";
export type { StateKey } from "./questions/state-key.js";
export type { UsedStates } from "./questions/used-states.js";
export { memoryUsedStates } from "./questions/used-states.js";
export type { CatalogReport, ServerReport } from "./report.js";
export type { Watch } from "./resources/listeners.js";
export type {
  AnyResource,
  AnyResourceTemplate,
  Resource,
  ResourceContent,
  ResourceReturn,
  ResourceTemplate,
} from "./resources/resource.js";
export { resourceTemplate } from "./resources/resource.js";
export type { Resources, ResourcesOptions } from "./resources/resources.js";
export { createResources } from "./resources/resources.js";
export type { ServedEra, Server } from "./server.js";
export { createServer } from "./server.js";
export type { TemplateVariables } from "./uri-template/variables.js";
