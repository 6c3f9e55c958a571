import { type Ask, type JsonObject, type RequestOptions, RpcError } from "@parlance/jsonrpc";
import type { HttpClientReport } from "../client/report.js";
import { isJsonObject } from "../json-object.js";
import { headerMismatch } from "./header.js";
import { mirroredValues, type ParameterHeader, readParameterHeaders } from "./parameter-header.js";

const list = "tools/list";
const call = "tools/call";

/** A server that makes up cursors must not be read for ever. */
const maxPages = 1_000;

/** How long a call waits for the tools to be listed again. */
const refreshTimeoutMs = 30_000;

/** Repeats arguments in headers, as the tools that were listed ask for. */
export interface Mirroring {
  readonly ask: Ask;
  /** The values that go into headers with a request. @throws LocalError `INVALID_ARGUMENT` for one that must not be sent */
  values(method: string, params: JsonObject): ReturnType<typeof mirroredValues> | undefined;
}

/**
 * Learns from the lists that come back what is repeated in headers. A tool that asks for it in a way that is wrong is left
 * out of the list. When the server finds that headers differ, it is asked for its tools again, once.
 * @param send sends one request
 * @see MCP 2026-07-28, basic/transports/streamable-http, custom headers from tool parameters
 */
export function createMirroring(send: Ask, report: (report: HttpClientReport) => void): Mirroring {
  let known = new Map<string, readonly ParameterHeader[]>();
  /** What the list being read says; it replaces `known` with its last page. */
  let coming = known;
  let refreshing: Promise<void> | undefined;

  async function readList(params: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    return learn(params, await send(list, params, options));
  }

  function learn(params: JsonObject, result: JsonObject): JsonObject {
    const { tools } = result;
    if (!Array.isArray(tools)) return result;
    if (params["cursor"] === undefined) coming = new Map();
    const kept = tools.filter((tool: unknown) => learnTool(tool));
    if (result["nextCursor"] === undefined) known = coming;
    return kept.length === tools.length ? result : { ...result, tools: kept };
  }

  /** @returns whether the tool can be used */
  function learnTool(tool: unknown): boolean {
    if (!isJsonObject(tool) || typeof tool["name"] !== "string" || !isJsonObject(tool["inputSchema"])) return true;
    const { name } = tool;
    const { headers = [], fault } = readParameterHeaders(tool["inputSchema"]);
    for (const lists of [known, coming]) {
      if (headers.length > 0) lists.set(name, headers);
      else lists.delete(name);
    }
    if (fault !== undefined) report({ kind: "tool_left_out", reason: `${name}: ${fault}`, tool });
    return fault === undefined;
  }

  async function sendCall(params: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    try {
      return await send(call, params, options);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== headerMismatch) throw error;
      refreshing ??= refresh(envelopeOf(params)).finally(() => {
        refreshing = undefined;
      });
      await refreshing.catch(() => {
        throw error;
      });
      return send(call, params, options);
    }
  }

  async function refresh(envelope: JsonObject): Promise<void> {
    const signal = AbortSignal.timeout(refreshTimeoutMs);
    let params = envelope;
    for (let page = 0; page < maxPages; page++) {
      const { nextCursor: cursor } = await readList(params, { signal });
      if (typeof cursor !== "string") return;
      params = { ...envelope, cursor };
    }
  }

  return {
    ask: (method, params, options) => {
      if (method === call) return sendCall(params, options);
      return method === list ? readList(params, options) : send(method, params, options);
    },
    values: (method, params) => {
      const headers = method === call && typeof params["name"] === "string" ? known.get(params["name"]) : undefined;
      return headers && mirroredValues(headers, params["arguments"]);
    },
  };
}

/** What a request says of its sender, without the token: progress would go to a call that is over. */
function envelopeOf({ _meta: meta }: JsonObject): JsonObject {
  return isJsonObject(meta) ? { _meta: { ...meta, progressToken: undefined } } : {};
}
