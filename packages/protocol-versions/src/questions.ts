import type { FeatureSet } from "./feature.js";
import { askUntilDone } from "./handshake/ask.js";
import { refuseQuestions } from "./question.js";

/**
 * How features ask the caller: what the eras need for it, and who never asks does not carry.
 * @experimental
 */
export interface Questions {
  readonly refuse: typeof refuseQuestions;
  readonly untilDone: typeof askUntilDone;
}

/**
 * Lets features ask the caller: with it in `features`, `input_required` is an answer. Without it such an answer is a
 * feature's mistake.
 * @experimental
 */
export function questions(): FeatureSet {
  return { capabilities: {}, methods: {}, questions: { refuse: refuseQuestions, untilDone: askUntilDone } };
}
