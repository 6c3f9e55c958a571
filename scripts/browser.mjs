// A page in headless Chromium, with a bundle of the client, calls a server of another origin: the checks of
// `tests/runtimes`, with credentials; and a page of an origin that is not listed gets nowhere.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fromDebian } from "./debian.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../..");
const folder = join(root, "tests/browser");
const dist = join(folder, "dist");
const token = "only-for-this-page";
const limitMs = 60_000;

const fromTests = createRequire(join(root, "tests/package.json"));
const executablePath = fromDebian("chromium");
await bundle();
const { start } = await import(pathToFileURL(join(dist, "server.js")).href);

const startedMs = performance.now();
const [listed, other] = [await servePage(), await servePage()];
const served = await start(listed.origin, token);
// its sandbox is refused to root, and in many containers to everybody
const browser = await fromTests("playwright-core").chromium.launch({
  executablePath,
  args: ["--no-sandbox"],
  timeout: limitMs,
});
try {
  const outcomes = await checkFrom(listed.origin);
  const failed = outcomes.filter((outcome) => outcome.failed !== undefined);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `Chromium ${browser.version()}: ${outcomes.length - failed.length} of ${outcomes.length} checks, ${seconds} s`,
  );
  for (const { check, failed: why } of failed) console.log(`  ✗ ${check}: ${why}`);
  const elsewhere = await checkFrom(other.origin);
  const refused = elsewhere.length > 0 && elsewhere.every(({ failed: why }) => why !== undefined);
  if (!refused) console.log("  ✗ a page of another origin was answered");
  if (failed.length > 0 || outcomes.length === 0 || !refused) process.exitCode = 1;
} finally {
  await browser.close();
  await served.close();
  listed.close();
  other.close();
}

async function bundle() {
  const { build } = fromTests("esbuild");
  const shared = { bundle: true, target: "es2022", outdir: dist, logLevel: "error", conditions: ["source"] };
  const page = { format: "iife", globalName: "parlance", platform: "browser" };
  await build({ ...shared, ...page, entryPoints: [join(folder, "page.ts")] });
  await build({ ...shared, entryPoints: [join(folder, "server.ts")], format: "esm", platform: "node" });
}

/** The page may run its script and nothing that is made at run time. */
async function servePage() {
  const script = readFileSync(join(dist, "page.js"));
  const policy = "default-src 'none'; script-src 'self'; connect-src http:";
  const server = createServer(({ url }, response) => {
    if (url === "/page.js") response.setHeader("content-type", "text/javascript; charset=utf-8").end(script);
    else {
      response.setHeader("content-security-policy", policy).setHeader("content-type", "text/html");
      response.end('<!doctype html><script src="/page.js"></script>');
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}

async function checkFrom(origin) {
  const page = await browser.newPage();
  page.setDefaultTimeout(limitMs);
  await page.goto(origin);
  const call = ([url, secret]) => globalThis.parlance.check(url, secret);
  const timer = setTimeout(() => void page.close(), limitMs);
  try {
    return await page.evaluate(call, [served.url, token]);
  } finally {
    clearTimeout(timer);
    await page.close();
  }
}
