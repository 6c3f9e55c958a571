import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { pause } from "@parlance/jsonrpc/abort";
import type { Call, InputRequests, InputResponses, Outcome, PagesFirst } from "@parlance/protocol-versions";
import { passedQuestion } from "./hop.js";

/** How long the server is left alone before the call is made again, in milliseconds. */
const againMs = 1_000;

/**
 * Has the caller visit the pages that a server of 2025-11-25 wants visited first. A page is asked for once: who agreed to it
 * is put off until the server is content, and who did not gets what the server refused with.
 * @param agreed the ids of the pages that the caller agreed to before
 * @param stateOf makes the state of the next round
 */
export async function pagesThatAreLeft(
  call: Call,
  { inputRequests = {}, refusal }: PagesFirst,
  agreed: ReadonlySet<string>,
  stateOf: (agreed: readonly string[]) => string,
): Promise<Outcome> {
  const answers: InputResponses = call.inputResponses ?? {};
  if (Object.keys(inputRequests).some((id) => answers[id] !== undefined && !isYes(answers[id]))) {
    const { message, data } = refusal;
    // under its own code it would be asked for again
    throw new RpcError(rpcCodes.internalError, message, { data, cause: refusal });
  }
  const left = Object.entries(inputRequests).filter(([id]) => !agreed.has(id) && !isYes(answers[id]));
  const yes = Object.keys(inputRequests).filter((id) => agreed.has(id) || isYes(answers[id]));
  const requestState = stateOf(yes);
  if (left.length === 0) {
    await pause(againMs, call.signal);
    return { type: "input_required", requestState };
  }
  return { type: "input_required", inputRequests: Object.fromEntries(left.map(passed)), requestState };
}

function isYes(answer: JsonObject | undefined): boolean {
  return answer?.["action"] === "accept";
}

function passed([key, { method, params = {} }]: [string, InputRequests[string]]): [string, InputRequests[string]] {
  return [key, { method, params: passedQuestion(params) }];
}
