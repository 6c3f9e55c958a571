export { safeEnvironmentNames } from "./environment.js";
export type { Lines } from "./lines.js";
export { createLines } from "./lines.js";
export type { SpawnOptions, StdioReport } from "./spawn.js";
export { spawn } from "./spawn.js";
export type { StdioOptions } from "./stdio.js";
export { stdio } from "./stdio.js";
export type { StreamsOptions } from "./streams.js";
export { streams } from "./streams.js";
