export type { CorsOptions } from "./cors.js";
export type { Anonymous, BearerOptions, Challenge, Guard } from "./guard.js";
export { anonymous, bearer, staticTokens } from "./guard.js";
export { createHttpHandler } from "./handler.js";
export type { EventStore, MemoryEventStoreOptions, StoredEvent } from "./handshake/event-store.js";
export { memoryEventStore } from "./handshake/event-store.js";
export type { HandshakeBindingOptions } from "./handshake/options.js";
export { handshakeBinding } from "./handshake/server.js";
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
export type { HttpReport } from "./report.js";
export type { StatelessBindingOptions } from "./stateless/server.js";
export { statelessBinding } from "./stateless/server.js";
