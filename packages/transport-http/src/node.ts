export type { NodeHttpOptions } from "./node/client.js";
export { http } from "./node/client.js";
export type { Listening, ListenOptions, NodeListener } from "./node/listen.js";
export { listen, toNodeListener } from "./node/listen.js";
export type { ServeOptions } from "./node/serve.js";
export { serve } from "./node/serve.js";
