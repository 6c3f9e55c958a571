// nginx in front of a server: the checks of `tests/runtimes` through it, with buffering, without, and at its defaults.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fromDebian } from "./debian.mjs";
import { temporaryFolder } from "./tarballs.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const folder = join(root, "tests/proxy");
const dist = join(folder, "dist");
const patienceMs = 10_000;
const limitMs = 60_000;

/** What the README of transport-http tells to write, and what must do without it. */
const told = ["proxy_http_version 1.1;", "proxy_set_header Host $host;", 'proxy_set_header Connection "";'];
const ways = {
  "buffering on": [...told, "proxy_buffering on;"],
  "buffering off": [...told, "proxy_buffering off;"],
  "nothing said": [],
};

const nginx = fromDebian("nginx", "nginx-light");
const fromTests = createRequire(join(root, "tests/package.json"));
await fromTests("esbuild").build({
  entryPoints: [join(folder, "server.ts")],
  ...{ bundle: true, format: "esm", target: "es2022", platform: "node", conditions: ["source"], outdir: dist },
});
const { check, start } = await import(pathToFileURL(join(dist, "server.js")).href);

const served = await start();
const ports = await freePorts(Object.keys(ways).length);
const proxy = startNginx();
const ended = once(proxy, "exit");
const timer = setTimeout(() => proxy.kill("SIGKILL"), limitMs);
try {
  for (const [n, way] of Object.keys(ways).entries()) {
    await untilOpen(ports[n]);
    const startedMs = performance.now();
    const outcomes = await check(`http://127.0.0.1:${ports[n]}/mcp`);
    const failed = outcomes.filter((outcome) => outcome.failed !== undefined);
    if (failed.length > 0 || outcomes.length === 0) process.exitCode = 1;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`${way.padEnd(14)} ${outcomes.length - failed.length} of ${outcomes.length} checks, ${seconds} s`);
    for (const outcome of failed) console.log(`  ✗ ${outcome.check}: ${outcome.failed}`);
  }
} finally {
  clearTimeout(timer);
  proxy.kill();
  await ended;
  await served.close();
}

/** In the foreground and as one process, with all its files in a folder that goes with it. */
function startNginx() {
  const home = temporaryFolder("proxy");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${home};`);
  const servers = Object.values(ways).map(
    (lines, n) =>
      `server { listen 127.0.0.1:${ports[n]}; location /mcp { proxy_pass ${new URL(served.url).origin}; ${lines.join(" ")} } }`,
  );
  const lines = [
    ...["daemon off;", "master_process off;", `pid ${home}/pid;`, "error_log stderr error;", "events {}"],
    `http { access_log off; ${temporary.join(" ")}\n${servers.join("\n")}\n}`,
  ];
  const config = join(home, "nginx.conf");
  writeFileSync(config, lines.join("\n"));
  return spawn(nginx, ["-c", config, "-e", "stderr"], { stdio: ["ignore", "inherit", "inherit"] });
}

/** nginx takes a port by its number only: held all at once, so that they differ, and given back. */
async function freePorts(count) {
  const held = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(held.map((server) => once(server, "listening")));
  const ports = held.map((server) => server.address().port);
  await Promise.all(held.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

async function untilOpen(port) {
  const lastMs = performance.now() + patienceMs;
  while (performance.now() < lastMs && proxy.exitCode === null) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise((settle) =>
      socket.once("connect", () => settle(true)).once("error", () => settle(false)),
    );
    socket.destroy();
    if (isOpen) return;
    await wait(20);
  }
  throw new Error(`nginx does not listen on port ${port}`);
}
