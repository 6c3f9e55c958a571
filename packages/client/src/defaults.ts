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
} = {
  timeoutMs: 60_000,
  maxTotalMs: 600_000,
  connectTimeoutMs: 30_000,
  probeTimeoutMs: 5_000,
  maxPages: 1_000,
};
