// Runs the official suite against the programs of tests/conformance, one scenario a process, both roles, every revision
// it has a list for, and judges by its checks: a failure or a warning fails the gate. What was skipped is said.
// Usage: node scripts/conformance.mjs [server|client] [scenario …]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { applies, revisions, scenariosOf } from "../tests/conformance/scenarios.mjs";
import { temporaryFolder } from "./tarballs.mjs";

const root = process.cwd();
const suite = join(root, "tests/conformance/suite.mjs");
const program = (name) => join(root, "tests/conformance/dist", `${name}.js`);
const startLimitMs = 15_000;
const scenarioLimitMs = 60_000;
const lanes = 2;
const counts = { passed: 0, failed: 0, skipped: 0 };

const args = process.argv.slice(2);
const roles = ["server", "client"].filter(
  (role) => args.every((arg) => arg !== "server" && arg !== "client") || args.includes(role),
);
const only = args.filter((arg) => arg !== "server" && arg !== "client");
const jobs = roles.flatMap((role) =>
  revisions.flatMap((revision) =>
    scenariosOf(role, revision)
      .filter((scenario) => (only.length > 0 ? only.includes(scenario) : applies(role, scenario)))
      .map((scenario) => ({ role, revision, scenario })),
  ),
);
const lane = async () => {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await judge(job);
};
await Promise.all(Array.from({ length: lanes }, lane));
console.log(`${counts.passed} checks passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;

async function judge({ role, revision, scenario }) {
  const folder = temporaryFolder("conformance");
  const { code, output } = await (role === "server" ? runServer : runClient)(revision, scenario, folder);
  const checks = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("checks.json"))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const skipped = checks.filter(({ status }) => status === "SKIPPED");
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  counts.passed += passed;
  counts.failed += bad.length;
  counts.skipped += skipped.length;
  const name = `${role} ${revision} ${scenario}`;
  for (const { id, errorMessage } of skipped) console.log(`skipped ${name} ${id}: ${errorMessage ?? ""}`);
  for (const { id, status, errorMessage, details } of bad) {
    console.log(`${status} ${name} ${id}: ${errorMessage ?? ""} ${JSON.stringify(details ?? {})}`);
  }
  if (bad.length > 0 || (code === 0 && checks.length > 0)) return;
  counts.failed += 1;
  console.log(`FAILURE ${name} ended with ${code} after ${checks.length} checks\n${output}`);
}

/** A server of its own for each scenario, so that none sees what another left. */
async function runServer(revision, scenario, folder) {
  const port = await freePort();
  const server = spawn(process.execPath, [program("server"), String(port)], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(server, "exit");
  try {
    await started(server);
    const url = `http://127.0.0.1:${port}/mcp`;
    return await run(["server", "--url", url, ...options(revision, scenario, folder)]);
  } finally {
    server.kill();
    await ended;
  }
}

function runClient(revision, scenario, folder) {
  // exec: what the suite ends is then the client itself, and not a shell before it
  const command = `exec ${process.execPath} ${program("client")}`;
  return run(["client", "--command", command, ...options(revision, scenario, folder)]);
}

function options(revision, scenario, folder) {
  return ["--scenario", scenario, "--spec-version", revision, "--force", "-o", folder];
}

function run(suiteArgs) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [suite, ...suiteArgs], { stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), scenarioLimitMs);
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? signal, output });
    });
  });
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

async function started(server) {
  const timer = setTimeout(() => server.kill(), startLimitMs);
  let said = "";
  for await (const chunk of server.stderr) {
    said += chunk;
    if (said.includes("listening")) break;
  }
  clearTimeout(timer);
  if (!said.includes("listening")) throw new Error(`the server did not start: ${said}`);
}
