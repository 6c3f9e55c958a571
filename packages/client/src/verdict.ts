import type { Peer } from "@parlance/jsonrpc";
import type { ClientEra, EraName, ServerAnnouncement } from "@parlance/protocol-versions";
import { inOrder } from "./era-order.js";
import type { ClientPart } from "./inner.js";
import { createKeeper } from "./keeper.js";
import type { Memory } from "./negotiation.js";

/** How long what was found out about a server is relied on. */
const verdictMs = 86_400_000;

/**
 * Which era a server speaks, and what it said of itself. It is plain data and may be kept across restarts: one that
 * turns out wrong is mended by the client that was given it.
 * @stable
 */
export interface Verdict {
  readonly era: EraName;
  readonly version: string;
  readonly server?: ServerAnnouncement | undefined;
  /** When a client stops to rely on it, in milliseconds since 1970. Absent: never. */
  readonly expiresAtMs?: number | undefined;
}

/**
 * Keeps verdicts, by what names the server (`Peer.authority` and `Peer.partition`). Share one between clients by
 * passing it to each; without one nothing is remembered.
 * @stable
 */
export interface VerdictStore {
  get(key: string): Verdict | undefined | Promise<Verdict | undefined>;
  set(key: string, verdict: Verdict): void | Promise<void>;
  delete(key: string): void | Promise<void>;
}

/**
 * Keeps verdicts as long as the process runs.
 * @stable
 */
export function memoryVerdicts(): VerdictStore {
  const verdicts = new Map<string, Verdict>();
  return {
    get: (key) => verdicts.get(key),
    set: (key, verdict) => void verdicts.set(key, verdict),
    delete: (key) => void verdicts.delete(key),
  };
}

/**
 * Saves the question which era a server speaks: `connectClient({ verdicts: remembering(memoryVerdicts()), … })` asks it
 * once a day, and with a verdict of yours in place of the store not at all.
 * @see MCP 2026-07-28, basic/versioning
 * @stable
 */
export function remembering(known: VerdictStore | Verdict): ClientPart {
  const store = "get" in known ? known : undefined;
  let given = "get" in known ? undefined : known;
  const memory: Memory = {
    recall: async (peer, eras) => {
      const key = keyOf(peer);
      const verdict = given ?? (key === undefined ? undefined : await store?.get(key));
      if (verdict === undefined || isExpired(verdict)) return eras;
      return inOrder(eras, verdict.era).map((era) => (era.name === verdict.era ? knowing(era, verdict) : era));
    },
    remember: async ({ peer, session: { era, version, server } }) => {
      const key = keyOf(peer);
      if (key === undefined || server.remembered) return;
      await store?.set(key, { era, version, server, expiresAtMs: Date.now() + verdictMs });
    },
    forget: async (peer) => {
      given = undefined;
      const key = keyOf(peer);
      if (key !== undefined) await store?.delete(key);
    },
  };
  return (client) => {
    client.memory = memory;
    client.keep = createKeeper;
  };
}

function isExpired({ expiresAtMs }: Verdict): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= Date.now();
}

/** The same era, opened with what is known: nothing is refused because of that. */
function knowing(era: ClientEra, verdict: Verdict): ClientEra {
  const version = era.versions.find((ours) => ours === verdict.version);
  if (version === undefined) return era;
  const known = { version, server: { capabilities: {}, ...verdict.server, remembered: true } };
  return { ...era, open: (peer, self, how) => era.open(peer, self, { ...how, known }) };
}

function keyOf({ authority, partition }: Peer): string | undefined {
  return authority === undefined ? undefined : JSON.stringify([authority, partition]);
}
