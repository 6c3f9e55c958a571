// Compiling and checking the schemas of real tools, side by side in one process: `pnpm --filter @parlance/bench json-schema`
// after `pnpm --filter @parlance/json-schema build`. Figures are of short rounds, interleaved, of the best but a few.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Validator } from "@cfworker/json-schema";
import { compile } from "@parlance/json-schema";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

const ROUNDS = 120;
const ROUND_MS = 5;
const require = createRequire(import.meta.url);

async function toolsOf(name) {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  const program = join(dirname(manifest), Object.values(require(manifest).bin)[0]);
  const server = spawn(process.execPath, [program, ...(name === "filesystem" ? [dirname(manifest)] : [])], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "bench", version: "0" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/list", params: {} });
      } else if (id === 2)
        return result.tools.map((tool) => ({ name: `${name}/${tool.name}`, schema: tool.inputSchema }));
    }
  } finally {
    server.kill();
  }
  throw new Error(`server-${name} listed no tools`);
}

/** A plausible value: every property, two items a list. */
function sample(schema) {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf) return sample(schema.anyOf[0]);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sample(member)]),
      );
    case "array":
      return [sample(schema.items ?? {}), sample(schema.items ?? {})].slice(0, schema.maxItems ?? 2);
    case "number":
    case "integer":
      return Math.max(schema.minimum ?? 1, 1);
    case "boolean":
      return true;
    default:
      return "a plausible text".padEnd(schema.minLength ?? 0);
  }
}

/** The best round but a few: what a busy machine disturbs least. */
function typical(numbers) {
  return [...numbers].sort((a, b) => a - b)[4];
}

/** Microseconds a turn of each, their rounds interleaved so that a busy machine hurts all alike. */
function compare(contenders) {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, turn] of Object.entries(contenders)) {
      const start = performance.now();
      let turns = 0;
      do {
        turn();
        turns++;
      } while (performance.now() - start < ROUND_MS);
      times[name].push(((performance.now() - start) * 1000) / turns);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, each]) => [name, typical(each)]));
}

function ajvFor(schema) {
  return new (/draft-07/.test(schema.$schema ?? "") ? Ajv : Ajv2020)({
    strict: false,
    logger: false,
    validateFormats: false,
  });
}

const servers = await Promise.all(["everything", "filesystem", "memory", "sequential-thinking"].map(toolsOf));
const tools = servers.flat().map((tool) => ({ ...tool, value: sample(tool.schema) }));
const draft = (schema) => (/draft-07/.test(schema.$schema ?? "") ? "7" : "2020-12");

const compiled = tools.map(({ name, schema, value }) => {
  const ours = compile(schema);
  const ajv = ajvFor(schema).compile(schema);
  const cfworker = new Validator(schema, draft(schema));
  if (!(ours.check(value) && ajv(value) && cfworker.validate(value).valid))
    throw new Error(`${name}: the sample is not valid`);
  return { name, value, ours, ajv, cfworker };
});

const checks = compare({
  ours: () => {
    for (const { ours, value } of compiled) ours.check(value);
  },
  ajv: () => {
    for (const { ajv, value } of compiled) ajv(value);
  },
  cfworker: () => {
    for (const { cfworker, value } of compiled) cfworker.validate(value);
  },
});
// one ajv for all schemas, as a client has; they are removed again, or its memory would slow down whatever runs beside it
const shared = {
  7: new Ajv({ strict: false, logger: false }),
  "2020-12": new Ajv2020({ strict: false, logger: false }),
};
const compiles = compare({
  ours: () => {
    for (const { schema } of tools) compile(schema);
  },
  ajv: () => {
    for (const { schema } of tools) {
      shared[draft(schema)].compile(schema);
      shared[draft(schema)].removeSchema(schema);
    }
  },
});

const big = { type: "array", items: tools.find(({ name }) => name === "filesystem/edit_file").schema };
const { check } = compile(big);
const { value } = tools.find(({ name }) => name === "filesystem/edit_file");
const sizes = [1_000, 2_000, 4_000, 8_000].map((count) => Array.from({ length: count }, () => structuredClone(value)));
const linear = compare(Object.fromEntries(sizes.map((items) => [items.length, () => check(items)])));

const perCheck = (us) => `${(us / tools.length).toFixed(3)} µs`;
console.log(`${tools.length} tools of ${servers.length} servers`);
console.log(
  `check    ours ${perCheck(checks.ours)}  ajv ${perCheck(checks.ajv)}  cfworker ${perCheck(checks.cfworker)}`,
);
console.log(
  `         ${(checks.ajv / checks.ours).toFixed(2)}× the speed of ajv (at least 0.12), ${(checks.cfworker / checks.ours).toFixed(0)}× that of cfworker (at least 15)`,
);
console.log(`compile  ours ${perCheck(compiles.ours)}  ajv ${perCheck(compiles.ajv)}`);
console.log(`         ${(compiles.ours / compiles.ajv).toFixed(3)}× the time of ajv (at most 0.1)`);
console.log(
  `cost of an item in lists of 1,000, 2,000, 4,000, 8,000: ${Object.entries(linear)
    .map(([count, us]) => ((us * 1000) / Number(count)).toFixed(0))
    .join(", ")} ns`,
);
