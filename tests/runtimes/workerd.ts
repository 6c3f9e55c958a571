import { checkBoth, createWorkerHandler, toFetch } from "./bundle.js";

const handler = createWorkerHandler();
const answer = toFetch(handler);
/** In a session it takes a notification to cancel, and there is none here that it could be of. */
const without = ["HTTP+SSE"];

/** Checks itself when it is asked to: whoever asks gives its own address by calling. */
async function fetch(request: Request): Promise<Response> {
  const { pathname, origin } = new URL(request.url);
  if (pathname !== "/checks") return answer(request);
  return Response.json(await checkBoth(handler, `${origin}/mcp`, without));
}

export default { fetch };
