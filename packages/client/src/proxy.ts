export { type ProxyOptions, proxyFeatures } from "./proxy/features.js";
export { defaultMaxPending, defaultPendingMs, type PassOptions, passQuestions } from "./proxy/pass-questions.js";
