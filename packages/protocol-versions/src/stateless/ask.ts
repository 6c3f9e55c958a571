import type { JsonObject } from "@parlance/jsonrpc";
import type { Call, Feature, Outcome } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import type { InputResponses } from "../model/input.js";
import { refuseQuestions } from "../question.js";
import type { Sealing } from "../questions.js";
import { wrongParam } from "../read.js";
import { served } from "../served.js";

/**
 * Lets a feature ask by its result, which the client answers by calling again.
 * @see MCP 2026-07-28, basic/patterns/mrtr
 */
export function askByResult(next: Feature, sealing: Sealing | undefined): Feature {
  function run(call: Call): Outcome | Promise<Outcome> {
    const shape = (outcome: Outcome): Outcome | Promise<Outcome> => shapeOutcome(call, outcome, sealing);
    const outcome = next(call);
    return "then" in outcome ? outcome.then(shape) : shape(outcome);
  }

  return (made) => {
    // what is of a session, or asks in another way already, is not ours
    if (made[served]?.session !== undefined || "inputResponses" in made) return next(made);
    const { params } = made;
    const call = Object.assign(made, { inputResponses: readResponses(params), requestState: readState(params) });
    const { requestState } = call;
    if (requestState === undefined || sealing === undefined) return run(call);
    return sealing.open(call, requestState).then((state) => run(Object.assign(call, { requestState: state })));
  };
}

function shapeOutcome(call: Call, outcome: Outcome, sealing: Sealing | undefined): Outcome | Promise<Outcome> {
  if (outcome.type === "complete") {
    // what came of a user's answers is for nobody else
    const isAnswered = (call.inputResponses ?? call.requestState) !== undefined;
    return isAnswered ? { ...outcome, cache: undefined } : outcome;
  }
  if (outcome.type !== "input_required") return outcome;
  const refused = refuseQuestions(call, outcome);
  if (refused !== undefined) return refused;
  const { inputRequests, requestState } = outcome;
  const ask = (state: string | undefined): Outcome => ({
    type: "extended",
    resultType: "input_required",
    result: { inputRequests, requestState: state },
  });
  return requestState === undefined || sealing === undefined
    ? ask(requestState)
    : sealing.seal(call, requestState).then(ask);
}

function readResponses(params: JsonObject): InputResponses | undefined {
  const responses = params["inputResponses"];
  if (responses === undefined || isResponses(responses)) return responses;
  throw wrongParam("inputResponses", responses, "an object of objects");
}

function isResponses(value: unknown): value is InputResponses {
  return isJsonObject(value) && Object.values(value).every(isJsonObject);
}

function readState(params: JsonObject): string | undefined {
  const state = params["requestState"];
  if (state === undefined || typeof state === "string") return state;
  throw wrongParam("requestState", state, "a string");
}
