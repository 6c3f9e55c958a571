// One bundle without Node builtins, a server behind `fetch` and a client over it, on every runtime that is promised.
// The runtimes are installed in a workspace of their own. Usage: node scripts/runtimes.mjs [name of a runtime]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { run } from "./tarballs.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const folder = join(root, "tests/runtimes");
const dist = join(folder, "dist");
const binaries = join(folder, "binaries");
const modules = join(binaries, "node_modules");
const limitMs = 60_000;
const [only = ""] = process.argv.slice(2);

run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], binaries, { CI: "true" });
await bundle();

const workerd = createRequire(join(binaries, "package.json"))("workerd").default;
const runtimes = {
  "Node 20": () => printed(join(modules, "node20/bin/node"), [join(dist, "node.js")]),
  "Node 22": () => printed(join(modules, "node22/bin/node"), [join(dist, "node.js")]),
  "Node 24": () => printed(join(modules, "node24/bin/node"), [join(dist, "node.js")]),
  Bun: () => printed(join(modules, "bun/bin/bun.exe"), [join(dist, "bun.js")]),
  Deno: () => printed(join(modules, ".bin/deno"), ["run", "--allow-net=127.0.0.1", "--no-lock", join(dist, "deno.js")]),
  workerd: () => answered(workerd, ["serve", join(folder, "workerd.capnp"), "--control-fd=3"]),
};

for (const [name, check] of Object.entries(runtimes)) {
  if (!name.includes(only)) continue;
  const startedMs = performance.now();
  const outcomes = await check().catch((error) => [{ check: "run", failed: error.message }]);
  const failed = outcomes.filter((outcome) => outcome.failed !== undefined);
  if (failed.length > 0 || outcomes.length === 0) process.exitCode = 1;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${name.padEnd(8)} ${outcomes.length - failed.length} of ${outcomes.length} checks, ${seconds} s`);
  for (const outcome of failed) console.log(`  ✗ ${outcome.check}: ${outcome.failed}`);
}

/** `neutral` knows no builtins: a bundle that asks for one is not built. */
async function bundle() {
  const { build } = createRequire(join(root, "tests/package.json"))("esbuild");
  const shared = { bundle: true, format: "esm", target: "es2022", outdir: dist, logLevel: "error" };
  const conditions = ["source", "workerd", "worker", "import"];
  await build({ ...shared, entryPoints: [join(folder, "bundle.ts")], platform: "neutral", conditions });
  const hosts = { ...shared, external: ["./bundle.js"] };
  const foreign = ["bun", "deno", "workerd"].map((name) => join(folder, `${name}.ts`));
  await build({ ...hosts, entryPoints: foreign, platform: "neutral" });
  await build({ ...hosts, entryPoints: [join(folder, "node.ts")], platform: "node", conditions: ["source"] });
}

/** A runtime that runs the checks and prints what came of them. */
async function printed(command, args) {
  const child = start(command, args, ["ignore", "pipe", "pipe"]);
  const lines = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  const [code] = await once(child, "close");
  const outcomes = lines.find((line) => line.startsWith("["));
  if (code !== 0 || outcomes === undefined) throw new Error(`ended with ${code}: ${lines.slice(-20).join("\n")}`);
  return JSON.parse(outcomes);
}

/** A runtime that serves: it is asked to run them. */
async function answered(command, args) {
  const child = start(command, args, ["ignore", "inherit", "inherit", "pipe"]);
  const closed = once(child, "close");
  try {
    for await (const line of createInterface({ input: child.stdio[3] })) {
      const { event, port } = JSON.parse(line);
      if (event !== "listen") continue;
      const response = await fetch(`http://127.0.0.1:${port}/checks`);
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return await response.json();
    }
    throw new Error("it ended before it listened");
  } finally {
    child.kill("SIGKILL"); // told to end, it waits for its connections
    await closed;
  }
}

function start(command, args, stdio) {
  const child = spawn(command, args, { cwd: dist, stdio, env: { ...process.env, NO_COLOR: "1" } });
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  child.once("close", () => clearTimeout(timer));
  return child;
}
