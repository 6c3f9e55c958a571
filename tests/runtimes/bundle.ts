// The one bundle that every runtime gets: a server behind `fetch`, and the checks that call it.

import type { HttpHandler } from "@parlance/transport-http";
import { type Checked, inProcess, runChecks } from "./checks.js";

export { toFetch } from "@parlance/transport-http";
export { createTestHandler, createWorkerHandler } from "./server.js";

/** Every check in this process, and over the port that serves `url`. */
export function checkBoth(handler: HttpHandler, url: string, without?: readonly string[]): Promise<readonly Checked[]> {
  return runChecks(url, { ways: { "in process": inProcess(handler), "over a port": undefined }, without });
}
