import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { Call, Outcome } from "@parlance/protocol-versions";
import type { FeatureMiddleware } from "../feature-set.js";
import { after } from "../later.js";
import { checkCount } from "./check.js";
import { toolError, toolOf } from "./tool-call.js";

/**
 * How long results may be.
 * @stable
 */
export interface ResultLimitOptions {
  /**
   * UTF-16 code units in all texts and names of a result together; a number, `true` or `null` counts as 8, a list or an
   * object by itself as 2.
   */
  readonly maxLength: number;
}

const scalarLength = 8;
const bracketsLength = 2;
/** How many times too long a result is looked at: it may go round in circles. */
const mostTimes = 10;

/**
 * Withholds results that are too long for their reader: a tool's caller reads a result with `isError` that says how
 * long it was, other callers an error −32603 with `{ length, maxLength }`. Lists are not measured: they have pages.
 * @throws LocalError `INVALID_ARGUMENT` when `maxLength` is not a whole number, 1 or more
 * @stable
 */
export function resultLimit({ maxLength }: ResultLimitOptions): FeatureMiddleware {
  checkCount("maxLength", maxLength, 1, "code units");
  return (next) => (call) => after(next(call), (outcome) => checkLength(outcome, call, maxLength));
}

function checkLength(outcome: Outcome, call: Call, maxLength: number): Outcome {
  if (outcome.type !== "complete" || outcome.stable === true || call.method.endsWith("/list")) return outcome;
  const most = mostTimes * maxLength;
  const length = lengthOf(outcome.result, most);
  if (length <= maxLength) return outcome;
  const tool = toolOf(call);
  const text = `the result is ${length} characters long${length > most ? " or more" : ""}, and ${maxLength} are the limit`;
  if (tool !== undefined) return toolError(`${tool}: ${text}; ask for less`);
  throw new RpcError(rpcCodes.internalError, text, { data: { length, maxLength } });
}

/** A stack of its own, so that no depth is too much. Measures no further than to `most`. */
function lengthOf(result: unknown, most: number): number {
  const rest: unknown[] = [result];
  let length = 0;
  while (rest.length > 0 && length <= most) {
    const value = rest.pop();
    if (typeof value === "object" && value !== null) length += bracketsLength;
    if (typeof value === "string") length += value.length;
    else if (typeof value !== "object" || value === null) length += scalarLength;
    else if (Array.isArray(value)) for (const each of value) rest.push(each);
    else
      for (const [name, each] of Object.entries(value)) {
        length += name.length;
        rest.push(each);
      }
  }
  return length;
}
