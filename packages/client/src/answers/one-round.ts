import type { JsonObject } from "@parlance/jsonrpc";
import type { InputRequests, InputResponses } from "@parlance/protocol-versions";
import type { Client } from "../client.js";
import { inner } from "../inner.js";
import { checkAnnounced } from "../need.js";
import { type RequestOptions, Waiting } from "../waiting.js";
import { asked } from "./asked.js";

/**
 * What one round of a request came to. The next round is the same request with `inputResponses` for these questions, and
 * this `requestState` exactly as it is, if there is one.
 * @stable
 */
export type Round =
  | { readonly type: "complete"; readonly result: JsonObject }
  | {
      readonly type: "input_required";
      readonly inputRequests?: InputRequests | undefined;
      readonly requestState?: string | undefined;
    };

/**
 * How one round is made.
 * @stable
 */
export interface RoundOptions extends RequestOptions {
  /** Answers to what the round before asked. */
  readonly inputResponses?: InputResponses | undefined;
  /** What the server gave in the round before, unchanged. */
  readonly requestState?: string | undefined;
}

const send = /* @__PURE__ */ asked((session, ...message) => session.call(...message), false);

/**
 * Makes one round of a request, for programs that answer by hand. In sessions questions do not come this way: those go to
 * `answers`.
 * @see MCP 2026-07-28, basic/patterns/mrtr
 * @stable
 */
export async function oneRound(
  client: Client,
  method: string,
  params: JsonObject,
  { inputResponses, requestState, ...options }: RoundOptions = {},
): Promise<Round> {
  const parts = client[inner];
  const { meta } = options;
  const waiting = new Waiting(method, options, parts);
  waiting.inputResponses = inputResponses;
  waiting.requestState = requestState;
  try {
    const answer = await parts.upkeep.run(({ session }) => {
      checkAnnounced(method, session.server);
      return send(session, method, meta === undefined ? params : { ...params, _meta: meta }, waiting);
    }, waiting);
    return "result" in answer ? { type: "complete", result: parts.resultOf(method, answer) } : answer;
  } finally {
    waiting.end();
  }
}
