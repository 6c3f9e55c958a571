// Tries Parlance against what others wrote, over stdio and HTTP: the peers are installed in a workspace of their own, then
// `tests/interop` runs every row. Usage: node scripts/interop.mjs [part of a peer's name]
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./tarballs.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const interop = join(root, "tests/interop");

run("pnpm", ["turbo", "run", "build", "--filter=@parlance/tests..."], root);
run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], join(interop, "peers"), { CI: "true" });
const args = [join(interop, "dist/main.js"), ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
