// The server that the page calls: on its own port, open to pages of one origin, for those who have the token.
import {
  cors,
  createHttpHandler,
  handshakeBinding,
  sseTransportBinding,
  statelessBinding,
  staticTokens,
} from "@parlance/transport-http";
import { type Listening, listen } from "@parlance/transport-http/node";
import { createTestServer } from "../runtimes/server.js";

export function start(origin: string, token: string): Promise<Listening> {
  const auth = staticTokens({ [token]: { id: "page", scopes: [] } });
  const bindings = [sseTransportBinding(), statelessBinding(), handshakeBinding()];
  return listen(createHttpHandler(createTestServer(), { auth, bindings, cors: cors({ origins: [origin] }) }));
}
