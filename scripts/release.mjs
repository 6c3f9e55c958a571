// Publishes what has a new version, tarball by tarball. `--dry-run` does all but the last step in a copy of
// HEAD, versions included, and shows what would be published.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pack, run, temporaryFolder } from "./tarballs.mjs";

const dryRun = process.argv.includes("--dry-run");
const root = dryRun ? versionedCopy() : process.cwd();
if (!dryRun) refuseWhatIsNotReady();

let wrong = 0;
for (const [name, { file, manifest }] of pack(root)) {
  const problems = inspect(file, manifest);
  for (const problem of problems) console.error(`${name}: ${problem}`);
  wrong += problems.length;
  console.log(`${name}@${manifest.version}`);
  if (dryRun || problems.length > 0 || isPublished(name, manifest.version)) continue;
  execFileSync("npm", ["publish", file, "--access", "public"], { stdio: "inherit" });
}
if (wrong > 0) process.exitCode = 1;
else if (dryRun) console.log("nothing was published: this was a dry run");

/** HEAD as the next release would have it: changesets consumed, versions and changelogs written. */
function versionedCopy() {
  const copy = join(temporaryFolder("release"), "repo");
  mkdirSync(copy, { recursive: true });
  run("git", ["clone", "--quiet", "--no-hardlinks", process.cwd(), copy], process.cwd());
  run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], copy, { CI: "true" });
  run("pnpm", ["exec", "changeset", "version"], copy);
  run("pnpm", ["install", "--lockfile-only", "--prefer-offline"], copy, { CI: "true" });
  return copy;
}

function refuseWhatIsNotReady() {
  if (run("git", ["status", "--porcelain"], root) !== "") throw new Error("the work tree is not clean");
  const pending = run("git", ["ls-files", ".changeset/*.md"], root).trim().split("\n");
  const open = pending.filter((file) => !file.endsWith("README.md"));
  if (open.length > 0) throw new Error(`changesets are open: ${open.join(", ")}; run \`pnpm changeset version\` first`);
}

function inspect(file, manifest) {
  const files = run("tar", ["-tzf", file], root).trim().split("\n");
  const ranges = Object.values({ ...manifest.dependencies, ...manifest.peerDependencies });
  const checks = {
    "has no README": files.includes("package/README.md"),
    "has no license": files.includes("package/LICENSE"),
    "ships something other than dist and files it exports": files.every(
      (path) =>
        /^package\/(dist\/|(README|CHANGELOG)\.md$|LICENSE$|package\.json$)/.test(path) ||
        Object.values(manifest.exports).includes(path.replace("package/", "./")),
    ),
    "ships the source condition": !JSON.stringify(manifest.exports).includes('"source"'),
    "depends on the workspace": !ranges.some((range) => range.startsWith("workspace:")),
    "depends on 0.0.x, which admits no other version": !ranges.some((range) => /^\^0\.0\./.test(range)),
    "is a 0.0.x": !manifest.version.startsWith("0.0."),
  };
  return Object.keys(checks).filter((problem) => !checks[problem]);
}

function isPublished(name, version) {
  try {
    return run("npm", ["view", `${name}@${version}`, "version"], root).trim() === version;
  } catch {
    return false; // never published, or the publish that follows says why not
  }
}
