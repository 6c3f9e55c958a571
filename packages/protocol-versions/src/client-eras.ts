import type { ClientEra } from "./era.js";
import { handshakeClient } from "./handshake/client.js";
import { statelessClient } from "./stateless/client.js";

/**
 * The eras that a client speaks unless it is told otherwise, newest first.
 * @stable
 */
export function clientEras(): readonly ClientEra[] {
  return [statelessClient(), handshakeClient()];
}
