/**
 * The severities of syslog, least to most severe.
 * @see RFC 5424, section 6.2.1
 * @stable
 */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/**
 * All log levels, least severe first.
 * @stable
 */
export const logLevels: readonly LogLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/**
 * The parameters of `notifications/message`.
 * @see MCP 2026-07-28, schema, LoggingMessageNotificationParams
 * @stable
 */
export type LogParams = {
  readonly level: LogLevel;
  readonly logger?: string | undefined;
  readonly data: unknown;
};
