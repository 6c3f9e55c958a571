// The server that the page calls: on its own port, open to pages of one origin, for those who have the token.
import { cors, createHttpHandler, staticTokens } from "@parlance/transport-http";
import { type Listening, listen } from "@parlance/transport-http/node";
import { createTestServer } from "../runtimes/server.js";

export function start(origin: string, token: string): Promise<Listening> {
  const auth = staticTokens({ [token]: { id: "page", scopes: [] } });
  return listen(createHttpHandler(createTestServer(), { auth, cors: cors({ origins: [origin] }) }));
}
