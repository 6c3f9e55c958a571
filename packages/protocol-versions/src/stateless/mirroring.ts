import { type JsonObject, type RequestOptions, RpcError } from "@parlance/jsonrpc";
import type { CallOptions, CallResult, ClientSelf } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { mirroredValues, type ParameterHeader, readParameterHeaders } from "../parameter-header.js";
import { headerMismatchCode } from "./envelope.js";

/** How a call is sent, with what only HTTP takes. */
export type SendOptions = CallOptions & Pick<RequestOptions, "mirror">;
type Send = (method: string, params: JsonObject, options?: SendOptions) => Promise<CallResult>;

const list = "tools/list";
const call = "tools/call";

/** A server that makes up cursors must not be read for ever. */
const maxPages = 1_000;

/**
 * Repeats arguments in headers, as the tools that were listed ask for: a session does so over HTTP. A tool that asks in
 * a way that is wrong is left out of the list. When the server finds that headers differ, it is asked for its tools again, once.
 * @see MCP 2026-07-28, basic/transports/streamable-http, custom headers from tool parameters
 */
export function mirroring(send: Send, report: NonNullable<ClientSelf["report"]>): Send {
  let known = new Map<string, readonly ParameterHeader[]>();
  /** What the list being read says; it replaces `known` with its last page. */
  let coming = known;
  let refreshing: Promise<void> | undefined;

  async function readList(params: JsonObject, options: SendOptions | undefined): Promise<CallResult> {
    const answer = await send(list, params, options);
    return answer.type === "complete" ? { ...answer, result: learn(params, answer.result) } : answer;
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

  async function sendCall(params: JsonObject, options: SendOptions | undefined): Promise<CallResult> {
    try {
      return await send(call, params, mirrored(params, options));
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== headerMismatchCode) throw error;
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      await refreshing.catch(() => {
        throw error;
      });
      return send(call, params, mirrored(params, options));
    }
  }

  function mirrored(params: JsonObject, options: SendOptions | undefined): SendOptions | undefined {
    const headers = typeof params["name"] === "string" ? known.get(params["name"]) : undefined;
    if (headers === undefined) return options;
    // not spread: what the options are made of may be getters
    return {
      signal: options?.signal,
      started: (id) => options?.started?.(id),
      logLevel: options?.logLevel,
      onProgress: options?.onProgress,
      inputResponses: options?.inputResponses,
      requestState: options?.requestState,
      mirror: mirroredValues(headers, params["arguments"]),
    };
  }

  async function refresh(): Promise<void> {
    let params: JsonObject = {};
    for (let page = 0; page < maxPages; page++) {
      const answer = await readList(params, undefined);
      const cursor = answer.type === "complete" ? answer.result["nextCursor"] : undefined;
      if (typeof cursor !== "string") return;
      params = { cursor };
    }
  }

  return (method, params, options) => {
    if (method === call) return sendCall(params, options);
    return method === list ? readList(params, options) : send(method, params, options);
  };
}
