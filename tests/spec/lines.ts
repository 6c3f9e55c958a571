import type { SpecLine } from "./line.js";
import { jsonrpc } from "./lines/jsonrpc.js";
import { lifecycle } from "./lines/lifecycle.js";
import { result } from "./lines/result.js";
import { stdio } from "./lines/stdio.js";
import { tool } from "./lines/tool.js";
import { version } from "./lines/version.js";

/** Every line of the protocol that a test of this repository names and proves. */
export const specLines: readonly SpecLine[] = [...jsonrpc, ...version, ...lifecycle, ...stdio, ...result, ...tool];
