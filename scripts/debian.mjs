// Programs that come with Debian, and not from the npm registry.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const lock = join(tmpdir(), "parlance-apt.lock");

/** Where the program is; installs it by apt when it is nowhere, and says so when that is impossible. */
export function fromDebian(program, packageName = program) {
  const installed = find(program);
  if (installed !== undefined) return installed;
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", packageName]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    // gates run two at a time, and apt does not wait for another apt
    const run = spawnSync("flock", [lock, "apt-get", ...args], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (run.status === 0) continue;
    const why = run.error?.message ?? run.stderr.trim().split("\n").slice(-5).join("\n");
    throw new Error(`${program} is not installed, and "apt-get ${args.join(" ")}" cannot do it here:\n${why}`);
  }
  return find(program) ?? fail(`the package ${packageName} has no program ${program}`);
}

/** Servers are in folders that are not on everybody's path. */
function find(program) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder, program)).find(isProgram);
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function fail(message) {
  throw new Error(message);
}
