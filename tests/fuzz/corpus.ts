import type { Client } from "@parlance/client";
import { listTools } from "@parlance/client";
import type { ProtocolVersion } from "@parlance/protocol-versions";
import type { Server } from "@parlance/server";
import { connectInMemory, type RecordedFrame } from "@parlance/testing";
import { revisions } from "./subject.js";

/** What crossed the line of one revision, as text. */
export interface Conversation {
  readonly version: ProtocolVersion;
  readonly toServer: readonly string[];
  readonly toClient: readonly string[];
}

/** Has our own client and server talk in every revision. */
export function recordCorpus(server: Server): Promise<readonly Conversation[]> {
  return Promise.all(revisions.map((version) => converse(server, version)));
}

async function converse(server: Server, version: ProtocolVersion): Promise<Conversation> {
  const frames: RecordedFrame[] = [];
  const how = version === "2026-07-28" ? ({ era: "stateless" } as const) : { version };
  const client = await connectInMemory(server, { ...how, frames });
  await client.ping();
  await listTools(client);
  for (const name of ["echo", "later", "steps", "shape", "fail", "protest", "unknown"]) {
    await call(client, name, { text: `a é 漢 ${name}` });
  }
  await call(client, "echo", { text: 1 });
  await client.request("example/unknown", { deep: [{ a: [null, 1.5, true] }] }).catch(ignore);
  await client.request("logging/setLevel", { level: "debug" }).catch(ignore);
  await client.notify("notifications/example", { of: "no consequence" });
  const abort = new AbortController();
  const held = client.callTool("hold", {}, { signal: abort.signal }).catch(ignore);
  await client.ping();
  abort.abort(new Error("enough"));
  await held;
  await client.close();
  const sent = (direction: RecordedFrame["direction"]): string[] =>
    frames.filter((frame) => frame.direction === direction).map((frame) => frame.text);
  return { version, toServer: sent("sent"), toClient: sent("received") };
}

async function call(client: Client, name: string, args: { readonly text: unknown }): Promise<void> {
  const onProgress = name === "steps" ? ignore : undefined;
  await client.callTool(name, args, { onProgress, logLevel: "debug" }).catch(ignore);
}

function ignore(): void {}
