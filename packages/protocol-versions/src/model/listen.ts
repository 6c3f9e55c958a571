/**
 * What a listener wants to hear of, and what a server says that it will hear of. Extensions add keys.
 * @see MCP 2026-07-28, basic/patterns/subscriptions
 * @stable
 */
export type ListenFilter = {
  readonly toolsListChanged?: boolean | undefined;
  readonly promptsListChanged?: boolean | undefined;
  readonly resourcesListChanged?: boolean | undefined;
  /** URIs of single resources. */
  readonly resourceSubscriptions?: readonly string[] | undefined;
  readonly [extension: string]: unknown;
};

/** The lists of a server, by the key that asks to hear of their changes. */
export const listKeys: ReadonlyMap<string, "tools" | "prompts" | "resources"> = /* @__PURE__ */ new Map([
  ["toolsListChanged", "tools"],
  ["promptsListChanged", "prompts"],
  ["resourcesListChanged", "resources"],
]);
