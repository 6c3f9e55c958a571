// What runs in the page: the checks of every runtime, over the browser's own `fetch`.
import { bearerToken } from "@parlance/transport-http";
import { type Checked, runChecks } from "../runtimes/checks.js";

/** Calls the server of another origin, with credentials, so that every request is asked for first. */
export function check(url: string, token: string): Promise<readonly Checked[]> {
  return runChecks(url, { ways: { "in a page": undefined }, auth: bearerToken(token) });
}
