// The one bundle that every runtime gets: a server behind `fetch`, and the checks that call it.
export { runChecks } from "./checks.js";
export { createTestHandler, createWorkerHandler } from "./server.js";
