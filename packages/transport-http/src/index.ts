export type { AuthChallenge, AuthRequest, AuthResponse, HttpAuth } from "./client/auth.js";
export { bearerToken } from "./client/auth.js";
export type { Fetch } from "./client/fetch.js";
export type { HttpClientOptions, HttpFallback } from "./client/options.js";
export { httpClientDefaults } from "./client/options.js";
export type { HttpClientReport } from "./client/report.js";
export type { Cors, CorsOptions } from "./cors.js";
export { cors } from "./cors.js";
export type { HttpOptions } from "./dial.js";
export { http } from "./dial.js";
export type { StreamOptions } from "./event-stream.js";
export { toFetch } from "./fetch.js";
export type { Anonymous, BearerOptions, Challenge, Guard } from "./guard.js";
export { anonymous, bearer, staticTokens } from "./guard.js";
export { createHttpHandler } from "./handler.js";
export type { EventStore, MemoryEventStoreOptions, StoredEvent } from "./handshake/event-store.js";
export { memoryEventStore } from "./handshake/event-store.js";
export type { HandshakeBindingOptions } from "./handshake/options.js";
export type { Resumable } from "./handshake/resumption.js";
export { resumable } from "./handshake/resumption.js";
export { handshakeBinding } from "./handshake/server.js";
export { sessionlessBinding } from "./handshake/sessionless.js";
export type {
  HttpArrival,
  HttpBinding,
  HttpHandler,
  HttpReply,
  HttpRequest,
  HttpServed,
  TextWriter,
} from "./http.js";
export type { HttpHandlerOptions } from "./options.js";
export type { AnswerOptions } from "./outlet.js";
export type { HttpReport } from "./report.js";
export type { SseTransportOptions } from "./sse-transport/client.js";
export { sseTransport } from "./sse-transport/client.js";
export { sseTransportBinding } from "./sse-transport/server.js";
export type { ParameterHeaderRules } from "./stateless/parameter-check.js";
export { parameterHeaders } from "./stateless/parameter-check.js";
export { statelessBinding } from "./stateless/server.js";
