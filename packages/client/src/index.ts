export type { Change, ListenEvent, ListenFilter, Meta } from "@parlance/protocol-versions";
export { handshakeClient as handshake, meta, statelessClient as stateless } from "@parlance/protocol-versions";
export { type AnswersOptions, answers } from "./answers/answers.js";
export type { AnswerHandlers, Asker, FormAnswer, FormQuestion } from "./answers/handlers.js";
export type { Round, RoundOptions } from "./answers/one-round.js";
export { oneRound } from "./answers/one-round.js";
export type { PageQuestion, UrlWarning } from "./answers/page.js";
export { inspectUrl } from "./answers/page.js";
export { pickModel } from "./answers/pick-model.js";
export { rootsChanged } from "./answers/roots-changed.js";
export { type ResponseCacheOptions, responseCache } from "./cache.js";
export { type CachedResult, type CacheStore, memoryCache } from "./cache-store.js";
export type { Client, ConnectedServer } from "./client.js";
export { type CompleteOptions, complete, type Suggestions } from "./complete.js";
export { type ClientOptions, connectClient } from "./connect.js";
export { clientDefaults } from "./defaults.js";
export { answerQuestion, type ClientExtension, extensions } from "./extension.js";
export { type IconOptions, iconFault, type LoadedIcon, type LoadIconOptions, loadIcon } from "./icon.js";
export type { ClientPart, Making, ReaderOf, ResultOf, Send } from "./inner.js";
export { type KeepAliveOptions, keepAlive } from "./keep-alive.js";
export { type ListenOptions, listen, type Subscription } from "./listen.js";
export { onLog, setLogLevel } from "./log.js";
export { isResourceNotFound } from "./not-found.js";
export { outputSchemas } from "./output-schemas.js";
export type { ListOptions } from "./pages.js";
export { eachPrompt, getPrompt, listPrompts } from "./prompts.js";
export type { ClientReport } from "./report.js";
export {
  eachResource,
  eachResourceTemplate,
  listResources,
  listResourceTemplates,
  readResource,
} from "./resources.js";
export { type RestartOptions, restarting } from "./restart.js";
export type { Schema, SchemaResult } from "./schema.js";
export { eachTool, listTools, type ToolHints, toolHints, toolTitle } from "./tools.js";
export { callTypedTool, type TypedToolResult } from "./typed-tool.js";
export { memoryVerdicts, remembering, type Verdict, type VerdictStore } from "./verdict.js";
export type { CacheUse, NextRound, RequestOptions } from "./waiting.js";
