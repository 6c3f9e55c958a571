/**
 * Names the request that a progress notification belongs to: a string or an integer; `0` and `""` are valid.
 * @see MCP 2026-07-28, schema, ProgressToken
 * @stable
 */
export type ProgressToken = string | number;

/**
 * The parameters of `notifications/progress`. `message` travels from 2025-03-26.
 * @see MCP 2026-07-28, schema, ProgressNotificationParams
 * @stable
 */
export type ProgressParams = {
  readonly progressToken: ProgressToken;
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
};

/**
 * Whether a value can be a progress token.
 */
export function isProgressToken(value: unknown): value is ProgressToken {
  return typeof value === "string" || Number.isSafeInteger(value);
}
