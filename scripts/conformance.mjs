// Runs the official suite's server scenarios that apply so far against tests/conformance, each by itself, and judges by
// its checks: a failure or a warning fails the gate. What was skipped is said.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { serverScenarios } from "../tests/conformance/scenarios.mjs";
import { temporaryFolder } from "./tarballs.mjs";

const root = process.cwd();
const suite = join(root, "tests/conformance/suite.mjs");
const startLimitMs = 15_000;
const counts = { passed: 0, failed: 0, skipped: 0 };

const port = await freePort();
const server = spawn(process.execPath, [join(root, "tests/conformance/dist/server.js"), String(port)], {
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  await started();
  for (const [revision, scenarios] of Object.entries(serverScenarios)) {
    for (const scenario of scenarios) run(revision, scenario);
  }
} finally {
  server.kill();
  await once(server, "exit");
}
console.log(`${counts.passed} checks passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port: free } = probe.address();
  probe.close();
  await once(probe, "close");
  return free;
}

async function started() {
  const timer = setTimeout(() => server.kill(), startLimitMs);
  let said = "";
  for await (const chunk of server.stderr) {
    said += chunk;
    if (said.includes("listening")) break;
  }
  clearTimeout(timer);
  if (!said.includes("listening")) throw new Error(`the server did not start: ${said}`);
}

function run(revision, scenario) {
  const folder = temporaryFolder("conformance");
  const url = `http://127.0.0.1:${port}/mcp`;
  const options = ["server", "--url", url, "--scenario", scenario, "--spec-version", revision, "--force", "-o", folder];
  const { stdout, stderr } = spawnSync(process.execPath, [suite, ...options], { encoding: "utf8" });
  const checks = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("checks.json"))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const skipped = checks.filter(({ status }) => status === "SKIPPED");
  counts.passed += checks.filter(({ status }) => status === "SUCCESS").length;
  counts.failed += bad.length;
  counts.skipped += skipped.length;
  for (const { id, errorMessage } of skipped)
    console.log(`skipped ${revision} ${scenario} ${id}: ${errorMessage ?? ""}`);
  for (const { id, status, errorMessage, details } of bad) {
    console.log(`${status} ${revision} ${scenario} ${id}: ${errorMessage ?? ""} ${JSON.stringify(details ?? {})}`);
  }
  if (checks.length > 0) return;
  counts.failed += 1;
  console.log(`FAILURE ${revision} ${scenario} ran no check\n${stdout}${stderr}`);
}
