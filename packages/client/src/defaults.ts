/**
 * What a client does unless it is told otherwise. Times are in milliseconds.
 * @stable
 */
export const clientDefaults: {
  /** How long a request waits for its answer, or for progress since the last. */
  readonly timeoutMs: number;
  /** How long it waits in all. */
  readonly maxTotalMs: number;
  /** How long it may take to open a connection and to settle what is spoken. */
  readonly connectTimeoutMs: number;
  /** How long a server may be silent on the question which era it speaks. */
  readonly probeTimeoutMs: number;
  /** How many pages a list may have: a server that makes up cursors must not be read for ever. */
  readonly maxPages: number;
  /** How long what was found out about a server is relied on, where it is kept. */
  readonly verdictMs: number;
  /** How often in a row a server that ended is started again, and how long that waits from the second time on. */
  readonly restart: { readonly maxTries: number; readonly delayMs: number; readonly maxDelayMs: number };
} = {
  timeoutMs: 60_000,
  maxTotalMs: 600_000,
  connectTimeoutMs: 30_000,
  probeTimeoutMs: 5_000,
  maxPages: 1_000,
  verdictMs: 86_400_000,
  restart: { maxTries: 5, delayMs: 250, maxDelayMs: 10_000 },
};
