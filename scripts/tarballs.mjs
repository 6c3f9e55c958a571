// Builds and packs public packages as they would be published.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const temporary = [];

/**
 * Packs into a new folder, which is removed when this process exits.
 * @param names the packages, with what they need; default all
 * @returns a map of package name → { file, manifest }, the manifest as packed
 */
export function pack(root = process.cwd(), names = ["./packages/*"]) {
  const folder = temporaryFolder("tarballs");
  const filters = names.map((name) => `--filter=${name}`);
  run("pnpm", ["turbo", "run", "build", "--concurrency=2", ...filters], root);
  const listed = run("pnpm", ["--recursive", ...filters, "pack", "--json", "--pack-destination", folder], root);
  const tarballs = new Map();
  for (const { name, filename } of [JSON.parse(listed)].flat()) {
    const manifest = JSON.parse(run("tar", ["-xzOf", filename, "package/package.json"], root));
    tarballs.set(name, { file: filename, manifest });
  }
  if (tarballs.size === 0) throw new Error(`nothing was packed in ${root}`);
  return tarballs;
}

/** A new folder, which is removed when this process exits. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `parlance-${name}-`));
  if (temporary.push(folder) === 1) process.once("exit", removeTemporary);
  return folder;
}

function removeTemporary() {
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
}

/** Runs to the end and returns stdout; throws with everything that was printed. */
export function run(command, args, cwd, env = {}) {
  try {
    const options = { cwd, env: { ...process.env, ...env }, encoding: "utf8", maxBuffer: 64 << 20 };
    return execFileSync(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Error(`"${command} ${args.join(" ")}" failed:\n${error.stdout ?? ""}${error.stderr ?? error.message}`);
  }
}
