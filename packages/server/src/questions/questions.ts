import { LocalError } from "@parlance/jsonrpc";
import {
  askingMethods,
  questions as eraQuestions,
  type Feature,
  type FeatureSet,
  type OnError,
} from "@parlance/protocol-versions";
import { inRounds } from "./round.js";
import { createSealer } from "./seal.js";
import { checkStateKeys, type StateKey } from "./state-key.js";
import type { UsedStates } from "./used-states.js";

/**
 * How a server asks its callers.
 * @stable
 */
export interface QuestionsOptions {
  /**
   * What seals the state that travels through a caller of 2026-07-28: the first key seals, all open, so a new key goes in
   * front. Default: one that this process makes up, which is enough until a second process serves the same callers.
   * `"unsealed"`: callers may read and change the state, for when that can do no more than fail their own call.
   */
  readonly stateKeys?: readonly StateKey[] | "unsealed" | undefined;
  /** For how long such state is good, in milliseconds: the time a user has for an answer. Default `defaultStateTtlMs`. */
  readonly stateTtlMs?: number | undefined;
  /** Makes each state good once: `memoryUsedStates()`. Default: until it expires. */
  readonly used?: UsedStates | undefined;
}

/**
 * For how long request state is good, in milliseconds.
 * @stable
 */
export const defaultStateTtlMs = 900_000;

/**
 * Lets features ask: with it among the features, `call.elicit`, `call.sample`, `call.roots` and `call.once` work, and
 * `input_required` is an answer.
 * @throws LocalError `INVALID_ARGUMENT` for a key that is too short
 * @see MCP 2026-07-28, basic/patterns/mrtr
 * @stable
 */
export function questions(options: QuestionsOptions = {}): FeatureSet {
  const { stateKeys, stateTtlMs: ttlMs = defaultStateTtlMs, used } = options;
  const rounds = { around: (next: Feature) => inRounds(next) };
  if (!(ttlMs > 0)) throw new LocalError("INVALID_ARGUMENT", `stateTtlMs is ${ttlMs}, and should be more than 0 ms`);
  if (stateKeys === "unsealed") return { ...eraQuestions(), ...rounds };
  if (stateKeys !== undefined) checkStateKeys(stateKeys);
  const listeners = new Set<OnError>();
  const { seal, open } = createSealer({
    keys: stateKeys,
    ttlMs,
    used,
    failed: (error, { method }) => {
      for (const listener of listeners) listener(error, { method, correlationId: crypto.randomUUID() });
    },
  });
  return {
    ...eraQuestions({
      seal,
      open: async (call, state) => (askingMethods.includes(call.method) ? open(call, state) : state),
    }),
    ...rounds,
    failed: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
