export { combine } from "./compose/combine.js";
export { type MountOptions, mount } from "./compose/mount.js";
export type { ServerParts } from "./server.js";
