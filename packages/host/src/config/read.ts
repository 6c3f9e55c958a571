import { jsonSchema } from "@parlance/json-schema";
import { LocalError } from "@parlance/jsonrpc";
import { isJsonObject } from "@parlance/protocol-versions";
import type { HostConfig, ServerEntry } from "./entry.js";
import { createExpansion, type Environment } from "./expand.js";
import { faultsOf, keyFaults } from "./faults.js";
import { configSchema, entryNames } from "./schema.js";
import { spell } from "./spelling.js";
import { valueFault, wayFault } from "./way.js";

/**
 * How a configuration is read.
 * @stable
 */
export interface ReadOptions {
  /** Where `${VAR}` looks. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Where it comes from, named in errors: a path. */
  readonly source?: string | undefined;
}

const checked = /* @__PURE__ */ jsonSchema(configSchema);
/** Configurations and entries that were read. */
const read = /* @__PURE__ */ new WeakSet<object>();
/** Where an entry keeps the values of variables that went into it: a copy of it is not expanded again, nor shown. */
const expanded = /* @__PURE__ */ Symbol("expanded");
const roots = ["servers", "mcpServers"] as const;
/** Where variables may stand. */
const variable = /* @__PURE__ */ new Set(["command", "args", "env", "cwd", "url", "headers"]);

/**
 * Checks a configuration before anything is started, and puts values in place of `${VAR}` and `${VAR:-default}` in `command`,
 * `args`, `env`, `cwd`, `url` and `headers`. A server that is switched off needs no variables, and is not in the result.
 * @throws LocalError `INVALID_ARGUMENT` that names every key that is wrong, and the fix; `details.faults` lists them
 * @stable
 */
export function readConfig(config: unknown, options: ReadOptions = {}): HostConfig {
  if (isJsonObject(config) && read.has(config)) return config as unknown as HostConfig;
  const faults: string[] = [];
  if (!isJsonObject(config)) throw refusal([`the configuration must be an object like { "servers": {} }`], options);
  const raw = usual(config);
  faults.push(...keyFaults(config), ...faultsOf(checked["~standard"].validate(raw.plain)));
  if (faults.length > 0) throw refusal(faults, options);
  const servers = new Map<string, ServerEntry>();
  for (const { key, id, entry, foreign } of raw.entries) {
    if (servers.has(id)) faults.push(`${key} is there twice; give one of them another id`);
    if (entry["enabled"] === false || entry["disabled"] === true) continue;
    const { server, missing } = expand(entry, options.env ?? process.env);
    for (const name of missing) faults.push(`${key} needs the variable ${name}; set it, or write \${${name}:-default}`);
    const fault = wayFault(entry, foreign) ?? (missing.size === 0 ? valueFault(server) : undefined);
    if (fault !== undefined) faults.push(`${key}${fault}`);
    read.add(server);
    // the schema has been met, and the way to the server is there, or it is a fault
    servers.set(id, server as unknown as ServerEntry);
  }
  if (faults.length > 0) throw refusal(faults, options);
  const result: HostConfig = {
    enabled: config["enabled"] !== false,
    servers: Object.fromEntries(servers),
    server: isJsonObject(config["server"]) ? config["server"] : undefined,
  };
  read.add(result);
  return result;
}

/**
 * Checks one server as `readConfig` does.
 * @throws LocalError `INVALID_ARGUMENT`
 */
export function readEntry(id: string, entry: ServerEntry): ServerEntry {
  if (read.has(entry)) return entry;
  const { servers } = readConfig({ servers: { [id]: { ...entry, enabled: true } } });
  // it was put there a line above
  return servers[id] ?? entry;
}

/** What must not be shown of an entry: its variables, its headers, and what came from the environment. */
export function secretsOf(entry: ServerEntry): readonly string[] {
  const own = "command" in entry ? entry.env : "url" in entry ? entry.headers : undefined;
  return [...Object.values(own ?? {}), ...valuesIn(entry)];
}

interface RawEntry {
  /** Its place in the configuration, for errors. */
  readonly key: string;
  readonly id: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** Whether it is written as other programs do. */
  readonly foreign: boolean;
}

/** The configuration with what is only spelled differently spelled alike, and without what no file can hold. */
function usual(config: Readonly<Record<string, unknown>>): { plain: unknown; entries: readonly RawEntry[] } {
  const plain: Record<string, unknown> = { ...config };
  const entries: RawEntry[] = [];
  for (const root of roots) {
    const section = config[root];
    if (!isJsonObject(section)) continue;
    const plainSection: [string, unknown][] = [];
    for (const [id, value] of Object.entries(section)) {
      const foreign = root === "mcpServers";
      const entry = isJsonObject(value) ? spell(value, foreign) : undefined;
      if (entry !== undefined) entries.push({ key: `${root}.${id}`, id, entry, foreign });
      const { dial, ...rest } = entry ?? {};
      plainSection.push([id, entry === undefined ? value : typeof dial === "function" ? rest : entry]);
    }
    plain[root] = Object.fromEntries(plainSection);
  }
  return { plain, entries };
}

/** The entry with what variables stand for, and without what nobody here knows. */
function expand(
  entry: Readonly<Record<string, unknown>>,
  env: Environment,
): { readonly server: Readonly<Record<string, unknown>>; readonly missing: ReadonlySet<string> } {
  const expansion = createExpansion(env);
  const each = (value: unknown): unknown => {
    if (typeof value === "string") return expansion.expand(value);
    if (Array.isArray(value)) return value.map(each);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, each(inner)]));
  };
  const isExpanded = Object.hasOwn(entry, expanded);
  const kept = [...entryNames, "dial"].filter((name) => name !== "enabled" && entry[name] !== undefined);
  const members = kept.map((name): [string, unknown] => {
    const value = entry[name];
    return [name, variable.has(name) && !isExpanded ? each(value) : value];
  });
  const values = isExpanded ? valuesIn(entry) : expansion.values;
  const server = { ...Object.fromEntries(members), ...(values.size > 0 && { [expanded]: values }) };
  return { server, missing: expansion.missing };
}

/** The values of variables in an entry that was read, or in a copy of it. */
function valuesIn(entry: object): ReadonlySet<string> {
  const values: unknown = Reflect.get(entry, expanded);
  return values instanceof Set ? values : new Set();
}

function refusal(faults: readonly string[], { source }: ReadOptions): LocalError {
  const where = source === undefined ? "" : `${source}: `;
  return new LocalError("INVALID_ARGUMENT", `${where}${faults.join("; ")}`, { details: { faults, source } });
}
