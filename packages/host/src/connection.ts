import {
  type Client,
  type ClientOptions,
  connectClient,
  handshake,
  listen,
  listTools,
  outputSchemas,
  type Schema,
  stateless,
} from "@parlance/client";
import { jsonSchema } from "@parlance/json-schema";
import { type Dial, type JsonObject, LocalError, type Peer } from "@parlance/jsonrpc";
import { longestTimerMs } from "@parlance/jsonrpc/timer";
import type { EraName, ToolDefinition } from "@parlance/protocol-versions";
import type { ServerSettings } from "./config/entry.js";

/** A server that is there. */
export interface Connected {
  readonly client: Client;
  readonly tools: readonly ToolDefinition[];
  /** Aborts when the connection is gone, with the reason. */
  readonly closed: AbortSignal;
}

/** How a server is connected. */
export interface ConnectionOptions {
  readonly dial: Dial;
  readonly settings: ServerSettings;
  /** What the client is made of besides. */
  readonly client: Omit<ClientOptions, "dial" | "eras" | "signal" | "schemas">;
  readonly deadlineMs: number;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** The era that it spoke before: one that shakes hands is not asked again whether it does. */
  readonly before?: EraName | undefined;
  /** Hears that the tools changed, also before this is done. */
  readonly changed: () => void;
  /** Hears that changes of the tools are not told. */
  readonly unheard: (error: unknown) => void;
  /** Hears of an output schema that cannot be used. */
  readonly unusable: (error: unknown) => void;
}

function erasOf(pinned: EraName | undefined, before: EraName | undefined): ClientOptions["eras"] {
  if (pinned !== undefined) return [pinned === "stateless" ? stateless() : handshake()];
  return before === "handshake" ? [handshake(), stateless()] : undefined;
}

/**
 * Starts a server, settles what is spoken and lists its tools, all within `deadlineMs`. What was started is gone when it
 * rejects.
 * @throws LocalError `TIMEOUT` and what `connectClient` throws; the reason of `signal`
 */
export async function openConnection(options: ConnectionOptions): Promise<Connected> {
  const { settings, deadlineMs, signal } = options;
  const ending = new AbortController();
  const abort = (): void => ending.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  const late = new LocalError("TIMEOUT", `no answer within ${deadlineMs / 1_000} s`, { details: { deadlineMs } });
  const timer = setTimeout(() => ending.abort(late), Math.min(deadlineMs, longestTimerMs));
  const dialed: Peer[] = [];
  let client: Client | undefined;
  let isTold = false;
  const unlessOver = (error: unknown): void => {
    if (!ending.signal.aborted && dialed.at(-1)?.closed.aborted !== true) options.unheard(error);
  };
  try {
    client = await connectClient({
      ...options.client,
      // one that dials again has given up what it dialed before
      dial: async (handler, report) => {
        const peer = await options.dial(handler, report);
        dialed.push(peer);
        return peer;
      },
      eras: erasOf(settings.era, options.before),
      timeoutMs: settings.timeoutMs,
      // ours comes first
      connectTimeoutMs: deadlineMs * 2,
      schemas: outputSchemas(lenient(options.unusable)),
      onNotification: (message) => {
        // some do not announce that they tell
        if (!isTold && message.method === "notifications/tools/list_changed") options.changed();
        options.client.onNotification?.(message);
      },
      signal: ending.signal,
    });
    const { tools: announced } = client.server.capabilities;
    isTold = announced?.listChanged === true;
    // asked for first, so that no change falls between; a server that does not answer that still has tools
    if (isTold) listen(client, { toolsListChanged: true }, options.changed).catch(unlessOver);
    const tools = announced !== undefined ? await listTools(client, { signal: ending.signal }) : [];
    const peer = dialed.at(-1);
    if (peer === undefined) throw new LocalError("CLOSED", "the connection was made without being dialed");
    return { client, tools, closed: peer.closed };
  } catch (error) {
    await client?.close();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** An output schema that cannot be used costs its check, and not the tool. */
function lenient(unusable: (error: unknown) => void): (schema: JsonObject) => Schema<unknown> {
  return (schema) => {
    try {
      return jsonSchema(schema);
    } catch (error) {
      unusable(error);
      return { "~standard": { version: 1, vendor: "parlance", validate: (value) => ({ value }) } };
    }
  };
}
