import { type Classified, classify } from "./codec.js";
import { rpcCodes } from "./error.js";

/** How many messages a batch may hold: each bad one costs an answer many times its size. */
const maxMessages = 1_000;

/** Takes the text of an answer, or nothing when there will be none. Called once for each message. @experimental */
export type Reply = (text: string | undefined) => void;

/**
 * Takes apart what came in one array, for sessions that may carry batches.
 * @experimental
 */
export type Batches = (
  items: readonly unknown[],
  receive: (message: Classified, reply: Reply) => void,
  reply: Reply,
) => void;

/**
 * The batches of JSON-RPC 2.0: answered in one array, in the order in which the answers are ready.
 * @see JSON-RPC 2.0, section 6
 * @experimental
 */
export const batches: Batches = (items, receive, reply) => {
  if (items.length === 0 || items.length > maxMessages) {
    const message = `a batch must have 1 to ${maxMessages} messages, not ${items.length}`;
    const error = { code: rpcCodes.invalidRequest, message };
    receive({ kind: "malformed", meant: "unknown", id: undefined, error }, reply);
    return;
  }
  const answers: string[] = [];
  let open = items.length;
  const take: Reply = (text) => {
    if (text !== undefined) answers.push(text);
    open--;
    if (open === 0) reply(answers.length > 0 ? `[${answers.join(",")}]` : undefined);
  };
  for (const item of items) {
    const message = classify(item);
    receive(message, take);
    if (message.kind === "notification" || message.kind === "response") take(undefined);
  }
};
