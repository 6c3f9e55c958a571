// Every wait and every cap that can be chosen, each the default of the option of its name.

/** The longest line that is taken, in bytes before its newline: 16 MiB. */
export const defaultMaxFrameBytes = 16_777_216;
/** How long `close()` waits for written frames to leave before it destroys the stream. */
export const defaultDrainMs = 1_000;
/** How long a server whose stdin ended may still answer before its handlers are aborted. */
export const defaultLingerMs = 250;
/** How long after that the process may take to end by itself before it is exited. */
export const defaultExitAfterMs = 250;
/** How long a child may take to end after its stdin ended, before SIGTERM. */
export const defaultTerminateAfterMs = 2_000;
/** How long it may take after SIGTERM, before SIGKILL. */
export const defaultKillAfterMs = 2_000;
/** How long a child that closed a stream, or exited, is waited for to say why: its exit code, its stderr. */
export const defaultExplainMs = 2_000;
