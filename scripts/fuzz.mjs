// Feeds a million mutated messages to a server and to clients of every revision; prints its seed, to run it again.
// Usage: node scripts/fuzz.mjs [--seed=n] [--count=n]
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./tarballs.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
run("pnpm", ["turbo", "run", "build", "--filter=@parlance/tests..."], root);
const args = ["--expose-gc", join(root, "tests/fuzz/dist/main.js"), ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
