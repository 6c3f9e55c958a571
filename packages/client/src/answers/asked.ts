import {
  type CallResult,
  type InputRequired,
  type PagesFirst,
  questionsIn,
  sessionAnswers,
} from "@parlance/protocol-versions";
import type { Send } from "../inner.js";

/** Sends one message of a request, and reads what the server asks before it goes on. */
export type SendAsked = (...message: Parameters<Send>) => Promise<CallResult | InputRequired | PagesFirst>;

/**
 * Reads questions in results and, with `pages`, makes some of the pages that a server wants visited first.
 * @throws LocalError `BAD_REPLY` for a question that is none; and whatever `send` throws
 */
export function asked(send: Send, pages: boolean): SendAsked {
  const { pagesFirst } = sessionAnswers;
  return async (session, method, params, options) => {
    try {
      const answer = await send(session, method, params, options);
      return answer.type === "input_required" ? questionsIn(method, answer.result) : answer;
    } catch (error) {
      if (pages && pagesFirst !== undefined) return pagesFirst(error, session.version);
      throw error;
    }
  };
}
