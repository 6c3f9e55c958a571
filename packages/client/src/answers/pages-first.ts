import { sessionAnswers } from "@parlance/protocol-versions";
import type { Send } from "../inner.js";

/** Makes questions of the pages that a server wants visited before it does what it was asked. */
export function askingPages(send: Send): Send {
  const { pagesFirst } = sessionAnswers;
  if (pagesFirst === undefined) return send;
  return (session, method, params, options) =>
    send(session, method, params, options).catch((error: unknown) => pagesFirst(error, session.version));
}
