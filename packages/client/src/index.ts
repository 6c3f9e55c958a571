export type { Change, ListenEvent, ListenFilter, Meta } from "@parlance/protocol-versions";
export { handshakeClient as handshake, meta, statelessClient as stateless } from "@parlance/protocol-versions";
export type { Answering, Answers, AnswersOptions, AskedClient } from "./answers/answers.js";
export { answers } from "./answers/answers.js";
export type { AnswerHandlers, Asker, FormAnswer, FormQuestion } from "./answers/handlers.js";
export type { Round, RoundOptions } from "./answers/one-round.js";
export { oneRound } from "./answers/one-round.js";
export type { PageQuestion, UrlWarning } from "./answers/page.js";
export { inspectUrl } from "./answers/page.js";
export { pickModel } from "./answers/pick-model.js";
export { rootsChanged } from "./answers/roots-changed.js";
export { type ResponseCacheOptions, responseCache } from "./cache.js";
export { type CachedResult, type CacheStore, memoryCache } from "./cache-store.js";
export type { CallToolOptions, Client, ConnectedServer, ListOptions, TypedToolResult } from "./client.js";
export { type CompleteOptions, complete, type Suggestions } from "./complete.js";
export { type ClientOptions, connectClient } from "./connect.js";
export { clientDefaults } from "./defaults.js";
export { type ClientExtension, type ClientExtensions, extensions } from "./extension.js";
export { type IconOptions, iconFault, type LoadedIcon, type LoadIconOptions, loadIcon } from "./icon.js";
export type { Hearing, NextRound, ResponseCache, Send, Told } from "./inner.js";
export { type KeepAliveOptions, keepAlive } from "./keep-alive.js";
export { type ListenOptions, listen, type Subscription } from "./listen.js";
export { onLog, setLogLevel } from "./log.js";
export { isResourceNotFound } from "./not-found.js";
export { type OutputSchemas, outputSchemas } from "./output-schemas.js";
export { eachPrompt, getPrompt, listPrompts } from "./prompts.js";
export type { ClientReport } from "./report.js";
export {
  eachResource,
  eachResourceTemplate,
  listResources,
  listResourceTemplates,
  readResource,
} from "./resources.js";
export { type Restarting, type RestartOptions, restarting } from "./restart.js";
export type { Schema, SchemaResult } from "./schema.js";
export { eachTool, type ToolHints, toolHints, toolTitle } from "./tools.js";
export { memoryVerdicts, type Remembering, remembering, type Verdict, type VerdictStore } from "./verdict.js";
export type { CacheUse, RequestOptions } from "./waiting.js";
