import type { ServerEra } from "./era.js";
import { handshakeServer } from "./handshake/server.js";
import { statelessServer } from "./stateless/server.js";

/**
 * The eras that a server speaks unless it is told otherwise, newest first. Made anew: a handshake era keeps sessions.
 * @stable
 */
export function serverEras(): readonly ServerEra[] {
  return [statelessServer(), handshakeServer()];
}
