// `npm test` and `npm run demo` on a machine that has Node and npm and nothing else:
// fetch the pinned pnpm, install what the lockfile says, build, then do what was asked.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpmHome = join(root, ".cache", "pnpm");
const pnpmBin = join(pnpmHome, "node_modules", ".bin");

const tasks = {
  demo: (args) => {
    quietly("pnpm", ["turbo", "run", "build", "--filter=@parlance/example-demo..."]);
    return openly("pnpm", ["--silent", "--filter", "@parlance/example-demo", "start", ...args]);
  },
  test: (args) => {
    quietly("pnpm", ["build"]);
    return openly("pnpm", ["--silent", "exec", "vitest", "run", ...args]);
  },
};

const [task = "", ...args] = process.argv.slice(2);
if (!Object.hasOwn(tasks, task)) fail(`unknown task "${task}"; one of: ${Object.keys(tasks).join(", ")}`);
checkNode();
fetchPnpm();
process.env.PATH = pnpmBin + delimiter + process.env.PATH;
process.env.TURBO_TELEMETRY_DISABLED = "1";
process.env.DO_NOT_TRACK = "1";
quietly("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { CI: "true" });
process.exitCode = tasks[task](args);

function checkNode() {
  const needed = manifest.engines.node.replace(">=", "");
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [neededMajor, neededMinor] = needed.split(".").map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  fail(`Node ${process.versions.node} is too old: Parlance needs ${needed} or newer`);
}

function fetchPnpm() {
  const version = manifest.packageManager.replace("pnpm@", "");
  const installed = join(pnpmHome, "node_modules", "pnpm", "package.json");
  if (existsSync(installed) && JSON.parse(readFileSync(installed, "utf8")).version === version) return;
  quietly("npm", ["install", "--prefix", pnpmHome, "--no-save", "--no-audit", "--no-fund", `pnpm@${version}`]);
}

/** Says what runs, since the first time takes minutes; shows its output only when it fails, and then ends. */
function quietly(command, args, env = {}) {
  console.error(`> ${command} ${args.join(" ")}`);
  const run = spawnSync(command, args, { ...options(env), stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
  if (run.status === 0) return;
  process.stderr.write(`${run.stdout ?? ""}${run.stderr ?? ""}`);
  fail(`"${command} ${args.join(" ")}" failed${run.error ? `: ${run.error.message}` : ""}`);
}

function openly(command, args) {
  const run = spawnSync(command, args, { ...options({}), stdio: "inherit" });
  return run.status ?? 1;
}

function options(env) {
  // npm and pnpm are shell scripts on Windows
  return { cwd: root, env: { ...process.env, ...env }, shell: process.platform === "win32", maxBuffer: 64 << 20 };
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
