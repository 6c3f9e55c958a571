import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { revisions } from "./parlance.js";
import type { Row, Served } from "./row.js";

export const home: string = join(import.meta.dirname, "..");
const peers = join(home, "peers");
export const modules: string = join(peers, "node_modules");
/** Comes with the peers, for those whose dependencies ask for it. */
export const node22: string = join(modules, "node/bin/node");

export const stateless = { era: "stateless", version: "2026-07-28" } as const;
export const newest = { era: "handshake", version: "2025-11-25" } as const;
export const [, ...older] = revisions;

/** The tools of every server that is written here, whatever it is written with. */
export const ours: Omit<Served, "older"> = {
  good: { tool: "echo", args: { text: "hello" }, answer: "hello" },
  bad: { tool: "echo", args: { text: 5 } },
  echo: (text) => ({ tool: "echo", args: { text } }),
  progress: { tool: "progress", args: { steps: 3 } },
  slow: { tool: "slow", args: { ms: 60_000 } },
  stats: { tool: "stats", args: {} },
};

/** What the servers have besides tools that are written here with a library that has it. */
export const contents: Pick<Served, "resource" | "prompt" | "suggestion" | "log" | "asks" | "change"> = {
  resource: { uri: "note://hello", text: "a note" },
  prompt: { name: "greet", args: { who: "Ada" }, text: "Hello Ada" },
  suggestion: { prompt: "greet", argument: "who", typed: "A", value: "Ada" },
  log: { tool: "log", args: {}, level: "warning" },
  asks: {
    form: { tool: "form", args: {} },
    page: { tool: "page", args: {} },
    model: { tool: "model", args: {} },
    roots: { tool: "roots", args: {} },
  },
  change: { tool: "touch", args: {}, uri: "note://hello" },
};

/** The tools of the reference server that shows everything. */
export const everything: Served = {
  good: { tool: "get-sum", args: { a: 19, b: 23 }, answer: "42" },
  bad: { tool: "get-sum", args: { a: "nineteen" } },
  echo: (message) => ({ tool: "echo", args: { message } }),
  progress: { tool: "trigger-long-running-operation", args: { duration: 0.3, steps: 3 } },
  slow: { tool: "trigger-long-running-operation", args: { duration: 1.5, steps: 1 } },
  stats: { lacks: "its tools do not say whether they were told to stop" },
  resource: { uri: "demo://resource/static/document/features.md", text: "Features" },
  prompt: { name: "args-prompt", args: { city: "Lyon" }, text: "Lyon" },
  suggestion: { prompt: "completable-prompt", argument: "department", typed: "E", value: "Engineering" },
  log: { lacks: "it logs by the clock" },
  asks: {
    form: { tool: "trigger-elicitation-request", args: {} },
    page: { tool: "trigger-url-elicitation", args: { url: "https://example.com/consent", message: "Agree there" } },
    model: { tool: "trigger-sampling-request", args: { prompt: "hello" } },
    roots: { tool: "get-roots-list", args: {} },
  },
  change: { tool: "toggle-subscriber-updates", args: {}, uri: "demo://resource/static/document/features.md" },
  older,
};

export const below = { lacks: "tried in the row below" };

/** The newest is what a client of others offers. */
export const offersNewest = { lacks: "it offers its newest" };

/** A server in `peers/servers`. */
export function written(name: string, ...args: readonly string[]): Pick<Row, "program"> {
  return { program: { command: process.execPath, args: [join(peers, `servers/${name}.mjs`), ...args], env: {} } };
}

/** A package and the version that is installed. */
export function label(name: string): string {
  const { version } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  return `${name} ${version}`;
}

/** Where a client in `peers/clients` is. */
export function clientFile(name: string): string {
  return join(peers, `clients/${name}.mjs`);
}

export function load<Client>(name: string): Promise<Client> {
  return import(pathToFileURL(clientFile(name)).href);
}
