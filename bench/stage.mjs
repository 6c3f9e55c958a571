// A folder with Parlance as npm would give it: packed, installed, and the programs that use it beside.
import { cpSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack, run, temporaryFolder } from "../scripts/tarballs.mjs";

const bench = fileURLToPath(new URL(".", import.meta.url));
const server = ["jsonrpc", "protocol-versions", "server", "tool-registry", "transport-stdio"];
const client = ["jsonrpc", "protocol-versions", "client", "transport-stdio"];
const packages = [...new Set([...server, ...client, "json-schema", "transport-http"])].map(
  (name) => `@parlance/${name}`,
);

/** @returns where the programs are, and the tarballs of a server and of a client with all that they need */
export function stage() {
  const tarballs = pack(join(bench, ".."), packages);
  const files = (names) => names.map((name) => tarballs.get(`@parlance/${name}`).file);
  const folder = install(packages.map((name) => tarballs.get(name).file));
  const programs = join(folder, "programs");
  cpSync(join(bench, "programs"), programs, { recursive: true });
  return { programs, install: { server: files(server), client: files(client) } };
}

/** Installs into a new folder. */
export function install(what) {
  const folder = temporaryFolder("bench");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  // tmcp names a peer that was never published
  run("npm", ["install", ...flags, "--legacy-peer-deps", ...what], folder);
  return folder;
}

export function installPeers() {
  run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], join(bench, "peers"), { CI: "true" });
}

/** What a folder takes on the disk, in bytes. */
export function sizeOf(folder) {
  return readdirSync(folder, { recursive: true }).reduce((sum, name) => {
    const { blocks, size } = statSync(join(folder, name));
    return sum + (blocks === undefined ? size : blocks * 512);
  }, 0);
}
