// A server, and the client that calls it through what stands in front.
import { type Listening, listen } from "@parlance/transport-http/node";
import { type Checked, runChecks } from "../runtimes/checks.js";
import { createTestHandler } from "../runtimes/server.js";

export function start(): Promise<Listening> {
  return listen(createTestHandler());
}

export function check(url: string): Promise<readonly Checked[]> {
  return runChecks(url, { ways: { "through nginx": undefined } });
}
