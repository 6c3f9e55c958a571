/**
 * The default of every cap and every wait of this package. Each is an option of the same name but `stderrTail`.
 * @stable
 */
export const stdioDefaults: {
  /** The longest line that is taken, in bytes before its newline: 16 MiB. */
  readonly maxFrameBytes: number;
  /** How long `close()` waits for written frames to leave before it destroys the stream. */
  readonly drainMs: number;
  /** How long a server whose stdin ended may still answer before its handlers are aborted. */
  readonly lingerMs: number;
  /** How long after that the process may take to end by itself before it is exited. */
  readonly exitAfterMs: number;
  /** How long a child may take to end after its stdin ended, before SIGTERM. */
  readonly terminateAfterMs: number;
  /** How long it may take after SIGTERM, before SIGKILL. */
  readonly killAfterMs: number;
  /** How long a child that closed a stream, or exited, is waited for to say why: its exit code, its stderr. */
  readonly explainMs: number;
  /** How much of the end of a child's stderr is kept for errors, in UTF-16 units: 8 Ki. */
  readonly stderrTail: number;
} = {
  maxFrameBytes: 16 * 1024 * 1024,
  drainMs: 1_000,
  lingerMs: 250,
  exitAfterMs: 250,
  terminateAfterMs: 2_000,
  killAfterMs: 2_000,
  explainMs: 2_000,
  stderrTail: 8 * 1024,
};
