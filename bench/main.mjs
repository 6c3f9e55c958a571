// Parlance beside a bare script, the official SDKs and tmcp, over stdio. Prints one table; see README.md.
// Usage: node bench/main.mjs [--rounds=n] [part of a figure's name …]
import { availableParallelism, cpus } from "node:os";
import { ours, peers, peerVersions, raw } from "./contestants.mjs";
import { measures } from "./measures/all.mjs";
import { createSamples } from "./samples.mjs";
import { installPeers, stage } from "./stage.mjs";
import { table } from "./table.mjs";

const args = process.argv.slice(2);
const parts = args.filter((arg) => !arg.startsWith("--"));
const rounds = Number(args.find((arg) => arg.startsWith("--rounds="))?.slice("--rounds=".length) ?? 9);

installPeers();
const { programs, install } = stage();
const [bare, parlance] = ours(programs);
const contestants = [bare, raw(programs), { ...parlance, install }, ...peers()];
const samples = createSamples();
const wanted = (figure) => parts.length === 0 || parts.some((part) => figure.includes(part));

for (const measure of measures) {
  console.error(measure.name);
  await measure({ contestants, programs, rounds, samples, wanted });
}

const versions = Object.entries(peerVersions).map(([name, version]) => `${name} ${version}`);
const names = contestants.map(({ name }) => name);
console.log(table(samples, names));
console.log(`\nNode ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model}, ${rounds} rounds`);
console.log(versions.join(", "));
