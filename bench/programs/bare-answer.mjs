// The least that a client of either era accepts. Nothing is checked but the type of the text.
import { echoDescription, echoSchema, recordSchema, records, textResult } from "./tools.mjs";

const serverInfo = { name: "bare", version: "1.0.0" };
const capabilities = { tools: { listChanged: true } };
const tools =
  records.length > 0
    ? records.map((record) => ({ ...record, inputSchema: recordSchema() }))
    : [{ name: "echo", description: echoDescription, inputSchema: echoSchema }];

export function answer({ method, params }) {
  const result = resultOf(method, params);
  return params?._meta === undefined ? result : { resultType: "complete", ...result };
}

function resultOf(method, params) {
  switch (method) {
    case "tools/call": {
      const { text = "found" } = params.arguments;
      return typeof text === "string" ? textResult(text) : { ...textResult("text must be a string"), isError: true };
    }
    case "tools/list":
      return params?._meta === undefined ? { tools } : { tools, ttlMs: 0, cacheScope: "private" };
    case "initialize":
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo };
    case "server/discover":
      return { supportedVersions: ["2026-07-28"], capabilities, ttlMs: 0, cacheScope: "private" };
    default:
      return {};
  }
}
