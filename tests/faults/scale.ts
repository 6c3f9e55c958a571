/** How many rounds the tests go: few in the run of all tests, and as many as `pnpm faults` says. */
export const rounds: number = Number(process.env["PARLANCE_FAULT_ROUNDS"] ?? 1);

/** A round has time of its own. */
export const limitMs: number = 10_000 + rounds * 2_000;
