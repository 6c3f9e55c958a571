import { LocalError } from "@parlance/jsonrpc";
import { alone } from "@parlance/jsonrpc/respond";
import type { ToolRegistry } from "@parlance/tool-registry";
import type { HostConfig } from "./config/entry.js";
import { hasServers } from "./config/find.js";
import { readConfig } from "./config/read.js";
import { type Host, openHost } from "./host.js";
import type { StartOptions } from "./options.js";

/**
 * Connects all servers of a configuration at once and puts their tools into the registry, each when its server is there. One
 * that cannot be connected within `deadlineMs` costs a line that says why, and nothing else. When the step is done, names
 * have gone by the order of the configuration, whoever came first.
 * @throws LocalError `INVALID_ARGUMENT` when the configuration is wrong, before anything is started; the reason of `signal`
 * @stable
 */
export async function startServers(
  config: HostConfig,
  registry: ToolRegistry,
  options: StartOptions = {},
): Promise<Host> {
  const { signal, onReady, maxParallel = Number.POSITIVE_INFINITY } = options;
  if (!(maxParallel >= 1)) {
    throw new LocalError("INVALID_ARGUMENT", `maxParallel must be 1 or more; got ${maxParallel}`);
  }
  if (!hasServers(config)) {
    const lacks = 'the configuration has neither the key "servers" nor "mcpServers"';
    throw new LocalError("INVALID_ARGUMENT", `${lacks}; of what findConfig gives it is the member config`);
  }
  const { enabled, servers, server } = readConfig(config);
  signal?.throwIfAborted();
  const { host, tell, expect, settle } = openHost(registry, {
    ...options,
    info: options.info ?? { name: server?.name ?? "parlance-host", version: server?.version ?? "0.0.0" },
  });
  const isOver = (): boolean => signal?.aborted === true;
  const waiting = enabled === false ? [] : Object.entries(servers);
  for (const [id] of waiting) expect(id);

  async function startNext(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined && !isOver(); next = waiting.shift()) {
      const [id, entry] = next;
      // the host has told why not
      await host.connect(id, entry, { signal }).catch(() => undefined);
      const status = host.server(id);
      if (status === undefined || isOver()) continue;
      alone(
        () => onReady?.(status),
        (error) => tell({ kind: "callback_failed", server: id, error }),
      );
    }
  }

  const count = Math.min(maxParallel, waiting.length);
  await Promise.all(Array.from({ length: count }, startNext));
  if (isOver()) await host.close();
  signal?.throwIfAborted();
  settle();
  return host;
}
