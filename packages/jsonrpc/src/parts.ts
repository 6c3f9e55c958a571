// All that the subpaths of this package export, built into one file: to load a file costs a program more than what is in it.

export * from "./abort.js";
export * from "./brand.js";
export * from "./codec.js";
export * from "./respond.js";
export * from "./timer.js";
