/** The parameter that `Mcp-Name` repeats, by method. */
export const namedBy: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);
