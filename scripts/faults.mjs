// The long run of `tests/faults`: a server killed at every step of 1,000 calls, and floods of 100,000 messages.
import { spawnSync } from "node:child_process";

const env = { ...process.env, PARLANCE_FAULT_ROUNDS: "100" };
const { status } = spawnSync("pnpm", ["exec", "vitest", "run", "tests/faults"], { env, stdio: "inherit" });
process.exitCode = status ?? 1;
