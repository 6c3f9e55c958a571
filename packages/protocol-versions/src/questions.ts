import { createCalls, type JsonObject } from "@parlance/jsonrpc";
import type { PagesFirst } from "./era.js";
import type { Call, Feature, FeatureSet } from "./feature.js";
import { askUntilDone } from "./handshake/ask.js";
import { pagesFirst, putAnswer } from "./handshake/asked.js";
import { narrow } from "./handshake/declared.js";
import { askByResult } from "./stateless/ask.js";
import type { ProtocolVersion } from "./version.js";

/**
 * What makes state fit to travel through a caller of the stateless era, for one call alone.
 * @experimental
 */
export interface Sealing {
  seal(call: Call, state: string): Promise<string>;
  /** @returns what `seal` was given @throws RpcError −32602 for state that is none of ours for this call */
  open(call: Call, state: string): Promise<string>;
}

/** How the eras ask. */
const ways: readonly ((next: Feature, sealing: Sealing | undefined) => Feature)[] = [askByResult, askUntilDone];

/**
 * Lets features ask the caller: with it in `features`, `input_required` is an answer. Without it such an answer is a
 * feature's mistake.
 * @param sealing default: state travels as it is; `questions()` of `@parlance/server` seals it
 * @experimental
 */
export function questions(sealing?: Sealing): FeatureSet {
  return {
    capabilities: {},
    methods: {},
    asking: createCalls,
    session: narrow,
    outside: (next) => ways.reduce((inner, ask) => ask(inner, sealing), next),
  };
}

/**
 * What questions and answers need in sessions alone; absent where there are none.
 * @experimental
 */
export interface SessionAnswers {
  /** The pages that a refusal wants visited first, as questions. @throws the error, when it asks for none */
  readonly pagesFirst?: ((error: unknown, version: ProtocolVersion) => PagesFirst) | undefined;
  /** An answer as the session's revision has it. */
  readonly putAnswer?: ((answer: JsonObject, version: ProtocolVersion) => JsonObject) | undefined;
}

/**
 * What a client that answers questions needs in sessions, and who answers nothing does not carry.
 * @experimental
 */
export const sessionAnswers: SessionAnswers = { pagesFirst, putAnswer };
