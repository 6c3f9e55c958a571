// Nothing that belongs to one machine may be committed: package registry hosts, home folders, temporary paths.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const forbidden = [
  { what: "a registry host", pattern: /\bregistry\.[\w-]+\.(org|com|net|io|dev|cn)\b|npmmirror|verdaccio/i },
  { what: "a tarball address", pattern: /\btarball: *['"]?https?:/i },
  { what: "a local path", pattern: /(?<![\w.])\/(?:work|root|home|Users)\/\w|\/tmp\/[\w.-]+\// },
];
const binary = /\.(png|jpg|gif|ico|woff2?)$/;
const self = "scripts/words.mjs";

const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\0")
  .filter((file) => file !== "" && file !== self && !binary.test(file));

let found = 0;
for (const file of files) {
  for (const [index, line] of readLines(file).entries()) {
    for (const { what, pattern } of forbidden) {
      const match = pattern.exec(line);
      if (match === null) continue;
      found++;
      console.error(`${file}:${index + 1}: ${what}, "${match[0]}"`);
    }
  }
}
console.log(`${files.length} files, ${found} found`);
if (found > 0 || files.length === 0) process.exitCode = 1;

function readLines(file) {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch (error) {
    if (error.code === "ENOENT") return []; // listed by git, deleted in the work tree
    throw error;
  }
}
