// A server as a worker, for Cloudflare's runtime and others that export a `fetch`. Workers come and go, so no sessions.
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { anonymous, createHttpHandler, sessionlessBinding, statelessBinding, toFetch } from "@parlance/transport-http";

const hello = tool({ name: "hello", description: "Says hello", run: () => "Hello from a worker!" });
const server = createServer({ info: { name: "worker", version: "1.0.0" }, features: [createToolRegistry([hello])] });
const handler = createHttpHandler(server, {
  auth: anonymous(),
  bindings: [statelessBinding(), sessionlessBinding()],
});

const answer = toFetch(handler);

export default { fetch: (request: Request): Promise<Response> => answer(request) };
