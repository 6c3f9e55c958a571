import { join } from "node:path";
import {
  type Client,
  type ClientOptions,
  type ClientReport,
  connectClient,
  handshake,
  stateless,
} from "@parlance/client";
import { over, type Report } from "@parlance/jsonrpc";
import type { EraName } from "@parlance/protocol-versions";
import { spawn } from "@parlance/transport-stdio";
import { vi } from "vitest";

/** How long the victim is waited for; less than by default, as it makes use of all of it. */
const patience = { explainMs: 100, terminateAfterMs: 100, killAfterMs: 100 };

export const eras: readonly EraName[] = ["stateless", "handshake"];

/** A client of ours, connected to a server that does wrong, and what both layers report. */
export interface Trial {
  readonly client: Client;
  readonly reports: readonly (ClientReport | Report)[];
}

/** Connects to the victim. `fault` is what it does wrong from the start; `hear` takes what `reports` would keep. */
export async function meet(
  era: EraName,
  fault = "",
  options: Partial<ClientOptions> = {},
  hear?: (what: ClientReport | Report) => void,
): Promise<Trial> {
  const reports: (ClientReport | Report)[] = [];
  const report = hear ?? ((what: ClientReport | Report): void => void reports.push(what));
  const args = [join(import.meta.dirname, "victim.mjs"), fault];
  const client = await connectClient({
    dial: over(spawn({ command: process.execPath, args, ...patience }), { report }),
    info: { name: "faults", version: "1.0.0" },
    eras: [era === "stateless" ? stateless() : handshake()],
    report,
    ...options,
  });
  return { client, reports };
}

/** What a promise came to, by its result's text or its error's code. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return JSON.stringify(await promise);
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

/** Resolves when it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  await vi.waitUntil(isSo, { timeout: 10_000, interval: 1 });
}
