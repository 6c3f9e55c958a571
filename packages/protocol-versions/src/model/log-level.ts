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
 * Whether a value is a log level; names are compared exactly.
 * @stable
 */
export function isLogLevel(value: unknown): value is LogLevel {
  return logLevels.some((level) => level === value);
}

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
