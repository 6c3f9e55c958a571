export type { FileResourcesOptions } from "./node/file-resources.js";
export { defaultMaxFileBytes, fileResources } from "./node/file-resources.js";
export type { InsideRoot } from "./node/inside-root.js";
export { insideRoot } from "./node/inside-root.js";
