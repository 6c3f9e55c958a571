// arethetypeswrong over every tarball: what TypeScript finds is what Node loads. ESM only, on purpose.
import { pack, run } from "./tarballs.mjs";

const tarballs = pack();
const wrong = [];
for (const [name, { file }] of tarballs) {
  try {
    run("pnpm", ["exec", "attw", file, "--profile", "esm-only", "--no-emoji"], process.cwd());
  } catch (error) {
    wrong.push(name);
    console.error(`${name}: ${error.message}`);
  }
}
console.log(`${tarballs.size} packages, ${wrong.length} wrong`);
if (wrong.length > 0) process.exitCode = 1;
