// Packages import only downwards: dependency-cruiser with the rules of .dependency-cruiser.mjs.
// It passes green over nothing when it cannot read TypeScript, so the number of modules is checked too.
import { readdirSync } from "node:fs";
import { cruise } from "dependency-cruiser";
import config from "../.dependency-cruiser.mjs";

const sources = readdirSync("packages").map((name) => `packages/${name}/src`);
const { output } = await cruise(sources, { ruleSet: config, validate: true, ...config.options });
const { violations, totalCruised } = output.summary;

for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`);
console.log(`${totalCruised} modules, ${violations.length} violations`);
if (totalCruised === 0 || violations.length > 0) process.exitCode = 1;
