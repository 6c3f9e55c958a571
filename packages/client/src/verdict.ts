import type { EraName, KnownServer } from "@parlance/protocol-versions";

/**
 * Which era a server speaks, and what it said of itself. It is plain data and may be kept across restarts: one that
 * turns out wrong is mended by the client that was given it.
 * @stable
 */
export interface Verdict extends KnownServer {
  readonly era: EraName;
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
