/**
 * What a host does unless it is told otherwise. Times are in milliseconds.
 * @stable
 */
export const hostDefaults: {
  /** How long a server may take to start, to settle what is spoken, and to list its tools. */
  readonly deadlineMs: number;
  /** How often in a row a server that ended is started again, and how long that waits from the second time on. */
  readonly restart: { readonly maxTries: number; readonly delayMs: number; readonly maxDelayMs: number };
  /** How long a server over HTTP that lost a call may take to say that it is still there. */
  readonly pingMs: number;
  /** How long after a list of tools the next is asked for at the earliest, however often a server says that they changed. */
  readonly refreshGapMs: number;
  /** How many of the last lines on stderr are kept for the status of a server. */
  readonly stderrLines: number;
} = {
  deadlineMs: 30_000,
  restart: { maxTries: 5, delayMs: 250, maxDelayMs: 10_000 },
  pingMs: 5_000,
  refreshGapMs: 100,
  stderrLines: 20,
};
