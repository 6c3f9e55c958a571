export { traceDial } from "./client.js";
export type { TraceOptions } from "./operation.js";
export { traceFeatures } from "./server.js";
