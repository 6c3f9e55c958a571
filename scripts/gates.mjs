// Runs gates two at a time, each the package.json script of its name: one line a gate, the end of what
// a failing one printed, and `N passed, N failed` over them and the tests of a vitest report.
// Gates after `--` measure: they run alone, after the others, and what they print is shown.
// Usage: node scripts/gates.mjs [--tests=report.json --tests-exit=code] gate … [-- gate …]
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const lanes = 2;
const gateLimitMs = 15 * 60_000;
const tailLines = 60;

const option = (name) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const report = option("tests");
const names = process.argv.slice(2).filter((arg) => arg === "--" || !arg.startsWith("--"));
const shared = names.includes("--") ? names.slice(0, names.indexOf("--")) : names;
const alone = names.slice(shared.length + 1);
const running = new Set();
const count = report === undefined ? { passed: 0, failed: 0 } : readTests(report, option("tests-exit"));

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of running) endGroup(child);
    process.exit(1);
  });
}

await Promise.all(Array.from({ length: lanes }, () => work(shared)));
await work(alone, true);
console.log(`\n${count.passed} passed, ${count.failed} failed`);
if (count.failed > 0 || count.passed === 0) process.exitCode = 1;

async function work(waiting, shown = false) {
  for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
    const startedMs = Date.now();
    const { passed, output } = await run(gate);
    const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
    count[passed ? "passed" : "failed"]++;
    console.log(`${passed ? "ok    " : "FAILED"} ${gate.padEnd(12)} ${seconds.padStart(6)} s`);
    if (!passed || shown)
      console.log(output.trimEnd().split("\n").slice(-tailLines).join("\n").replace(/^/gm, "       | "));
  }
}

function run(gate) {
  return new Promise((resolve) => {
    // A group of its own, so that whatever the gate leaves behind can be ended with it
    const child = spawn("pnpm", ["--silent", "run", gate], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    const timer = setTimeout(() => {
      output += `\nended after ${gateLimitMs / 60_000} minutes`;
      endGroup(child);
    }, gateLimitMs);
    const settle = (passed) => {
      clearTimeout(timer);
      running.delete(child);
      endGroup(child);
      resolve({ passed, output });
    };
    child.once("error", (error) => {
      output += error.message;
      settle(false);
    });
    child.once("exit", (code) => setImmediate(() => settle(code === 0)));
  });
}

function endGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // all of it has ended already
  }
}

/** A skipped test is a failed one, and so is one that found no data; both are said by name. */
function readTests(file, exitCode) {
  const count = { passed: 0, failed: 0 };
  const testResults = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).testResults : [];
  for (const { name, message, status, assertionResults } of testResults) {
    if (status === "failed" && assertionResults.length === 0) fail("failed", name, message);
    for (const test of assertionResults) {
      if (test.status === "passed") count.passed++;
      else fail(test.status === "todo" ? "no data" : test.status, `${name} > ${test.fullName}`);
    }
  }
  // what no single test is blamed for: an unhandled rejection, or a run that never began
  if (count.failed === 0 && exitCode !== "0") fail("failed", `npm test ended with ${exitCode}`);
  return count;

  function fail(why, title, detail = "") {
    count.failed++;
    console.log(`${why}: ${title} ${detail}`.trimEnd());
  }
}
