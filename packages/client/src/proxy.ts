export { type ProxyOptions, proxyFeatures } from "./proxy/features.js";
export type { ReadHeaders } from "./proxy/headers.js";
export { defaultMaxPending, defaultPendingMs, type PassOptions, passQuestions } from "./proxy/pass-questions.js";
