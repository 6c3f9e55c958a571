export { type ConcurrencyLimitOptions, concurrencyLimit } from "./middleware/concurrency-limit.js";
export { type DeadlineOptions, deadline } from "./middleware/deadline.js";
export { type CallRecord, type LogCallsOptions, logCalls } from "./middleware/log-calls.js";
export { type MaskErrorsOptions, maskErrors } from "./middleware/mask-errors.js";
export { type RateLimitOptions, rateLimit } from "./middleware/rate-limit.js";
export { type ResultLimitOptions, resultLimit } from "./middleware/result-limit.js";
