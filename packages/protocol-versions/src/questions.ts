import { createCalls, type JsonObject } from "@parlance/jsonrpc";
import type { PagesFirst } from "./era.js";
import type { Call, FeatureSet } from "./feature.js";
import { askUntilDone } from "./handshake/ask.js";
import { pagesFirst, putAnswer } from "./handshake/asked.js";
import { refuseQuestions } from "./question.js";
import type { ProtocolVersion } from "./version.js";

/**
 * How features ask the caller: what the eras need for it, and who never asks does not carry.
 * @experimental
 */
export interface Questions {
  readonly refuse: typeof refuseQuestions;
  readonly untilDone: typeof askUntilDone;
  /** What a connection needs for it. */
  readonly asking: typeof createCalls;
  /** Makes state fit to travel through a client, for this call alone. Absent: it travels as it is. */
  readonly seal?: ((call: Call, state: string) => Promise<string>) | undefined;
  /** The call with the state that `seal` was given. @throws RpcError −32602 for state that is none of ours for this call */
  readonly open?: ((call: Call) => Promise<Call>) | undefined;
}

/**
 * Lets features ask the caller: with it in `features`, `input_required` is an answer. Without it such an answer is a
 * feature's mistake. State travels as it is: `questions()` of `@parlance/server` seals it.
 * @experimental
 */
export function questions(): FeatureSet & { readonly questions: Questions } {
  return {
    capabilities: {},
    methods: {},
    questions: { refuse: refuseQuestions, untilDone: askUntilDone, asking: createCalls },
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
