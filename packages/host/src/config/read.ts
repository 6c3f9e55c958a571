import { jsonSchema } from "@parlance/json-schema";
import { LocalError } from "@parlance/jsonrpc";
import { isJsonObject } from "@parlance/protocol-versions";
import type { HostConfig, ServerEntry } from "./entry.js";
import { createExpansion, type Environment } from "./expand.js";
import { faultsOf, keyFaults } from "./faults.js";
import { configSchema } from "./schema.js";

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
/** What was read already is not expanded again. */
const read = new WeakSet<object>();
/** Values of variables that went into an entry. */
const expanded = new WeakMap<object, ReadonlySet<string>>();
const roots = ["servers", "mcpServers"] as const;

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
  for (const { key, id, entry } of raw.entries) {
    if (servers.has(id)) faults.push(`${key} is there twice; give one of them another id`);
    const { enabled, disabled, type, ...kept } = entry;
    if (enabled === false || disabled === true) continue;
    const problem = wayFault(kept);
    if (problem !== undefined) faults.push(`${key}${problem}`);
    servers.set(id, expand(key, kept, options.env ?? process.env, faults));
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
  if (expanded.has(entry)) return entry;
  const { servers } = readConfig({ servers: { [id]: { ...entry, enabled: true } } });
  // it was put there a line above
  return servers[id] ?? entry;
}

/** What must not be shown of an entry: its variables, its headers, and what came from the environment. */
export function secretsOf(entry: ServerEntry): readonly string[] {
  const own = "command" in entry ? entry.env : "url" in entry ? entry.headers : undefined;
  return [...Object.values(own ?? {}), ...(expanded.get(entry) ?? [])];
}

interface RawEntry {
  /** Its place in the configuration, for errors. */
  readonly key: string;
  readonly id: string;
  readonly entry: Readonly<Record<string, unknown>>;
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
      const entry = isJsonObject(value) ? spell(value, root === "mcpServers") : undefined;
      if (entry !== undefined) entries.push({ key: `${root}.${id}`, id, entry });
      const { dial, ...rest } = entry ?? {};
      plainSection.push([id, entry === undefined ? value : typeof dial === "function" ? rest : entry]);
    }
    plain[root] = Object.fromEntries(plainSection);
  }
  return { plain, entries };
}

/** `SSE` has meant both ways over HTTP: as our transport it is HTTP, as `type` of other programs the older one is taken too. */
function spell(entry: Readonly<Record<string, unknown>>, foreign: boolean): Readonly<Record<string, unknown>> {
  const { transport, type } = entry;
  const said = transport ?? (foreign ? type : undefined);
  if (typeof said !== "string") return entry;
  const word = said.toLowerCase();
  const http = word === "sse" || word === "streamable-http" || word === "streamablehttp";
  const older = transport === undefined && word === "sse";
  return { ...entry, transport: older ? "http+sse" : http ? "http" : word };
}

function wayFault({ transport, command, url, dial }: Readonly<Record<string, unknown>>): string | undefined {
  const ways = [command, url, dial].filter((way) => way !== undefined).length;
  if (ways > 1) return " has command and url; a server is reached in one way, remove the other";
  if (transport === "stdio" && command === undefined) return `.command is missing; transport "stdio" starts a program`;
  if (typeof transport === "string" && transport !== "stdio" && url === undefined) {
    return `.url is missing; transport "${transport}" needs one`;
  }
  if (typeof url === "string" && !url.includes("${") && !URL.canParse(url)) return ".url is no URL; write http://…";
  return ways === 0 ? " has neither command nor url; give it the one it is reached by" : undefined;
}

function expand(
  key: string,
  entry: Readonly<Record<string, unknown>>,
  env: Environment,
  faults: string[],
): ServerEntry {
  const expansion = createExpansion(env);
  const each = (value: unknown): unknown => {
    if (typeof value === "string") return expansion.expand(value);
    if (Array.isArray(value)) return value.map(each);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, each(inner)]));
  };
  const texts = ["command", "args", "env", "cwd", "url", "headers"].filter((name) => entry[name] !== undefined);
  const result = { ...entry, ...Object.fromEntries(texts.map((name) => [name, each(entry[name])])) };
  const { missing, values } = expansion;
  for (const name of missing) faults.push(`${key} needs the variable ${name}; set it, or write \${${name}:-default}`);
  expanded.set(result, values);
  // the schema has been met, and the way to the server is there
  return result as unknown as ServerEntry;
}

function refusal(faults: readonly string[], { source }: ReadOptions): LocalError {
  const where = source === undefined ? "" : `${source}: `;
  return new LocalError("INVALID_ARGUMENT", `${where}${faults.join("; ")}`, { details: { faults, source } });
}
