import { type Ask, type JsonObject, type RequestOptions, RpcError } from "@parlance/jsonrpc";
import type { HttpClientReport } from "../client/report.js";
import { isJsonObject } from "../json-object.js";
import { headerMismatch } from "./header.js";
import { mirrored, type ParameterHeader, readParameterHeaders } from "./parameter-header.js";

const listMethod = "tools/list";
const callMethod = "tools/call";

/** A server that makes up cursors must not be read for ever. */
const maxPages = 1_000;

/** How long a call waits for the tools to be listed again. */
const refreshTimeoutMs = 30_000;

/** Repeats arguments in headers, as the tools that were listed ask for. */
export interface Mirroring {
  readonly ask: Ask;
  /** The headers that a request has for its arguments. @throws LocalError `INVALID_ARGUMENT` for one that must not be sent */
  headers(method: string, params: JsonObject): ReturnType<typeof mirrored> | undefined;
}

/**
 * Learns from the lists that come back what is repeated in headers. A tool that asks for it in a way that is wrong is left
 * out of the list. When the server finds that headers differ, it is asked for its tools again, once.
 * @param send sends one request
 * @see MCP 2026-07-28, basic/transports/streamable-http, custom headers from tool parameters
 */
export function createMirroring(send: Ask, report: (report: HttpClientReport) => void): Mirroring {
  const known = new Map<unknown, readonly ParameterHeader[]>();
  let refreshing: Promise<void> | undefined;

  async function readList(params: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    const result = await send(listMethod, params, options);
    const { tools } = result;
    if (!Array.isArray(tools)) return result;
    const kept = tools.filter((tool: unknown) => learn(tool));
    return kept.length === tools.length ? result : { ...result, tools: kept };
  }

  /** @returns whether the tool can be used */
  function learn(tool: unknown): boolean {
    if (!isJsonObject(tool) || !isJsonObject(tool["inputSchema"])) return true;
    const { name } = tool;
    const { headers = [], fault } = readParameterHeaders(tool["inputSchema"]);
    if (headers.length > 0) known.set(name, headers);
    else known.delete(name);
    if (fault !== undefined) report({ kind: "tool_left_out", reason: `${name}: ${fault}`, tool });
    return fault === undefined;
  }

  async function sendCall(params: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    try {
      return await send(callMethod, params, options);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== headerMismatch) throw error;
      refreshing ??= refresh(params["_meta"]).finally(() => {
        refreshing = undefined;
      });
      await refreshing.catch(() => {
        throw error;
      });
      return send(callMethod, params, options);
    }
  }

  /** @param meta of the call; its token for progress would go to a call that is over */
  async function refresh(meta: unknown): Promise<void> {
    const signal = AbortSignal.timeout(refreshTimeoutMs);
    const _meta = { ...Object(meta), progressToken: undefined };
    let cursor: unknown;
    for (let page = 0; page < maxPages; page++) {
      const { nextCursor } = await readList(cursor === undefined ? { _meta } : { _meta, cursor }, { signal });
      if (typeof nextCursor !== "string") return;
      cursor = nextCursor;
    }
  }

  return {
    ask: (method, params, options) => {
      if (method === callMethod) return sendCall(params, options);
      return method === listMethod ? readList(params, options) : send(method, params, options);
    },
    headers: (method, params) => {
      const headers = method === callMethod ? known.get(params["name"]) : undefined;
      return headers && mirrored(headers, params["arguments"]);
    },
  };
}
