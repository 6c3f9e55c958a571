import { handshakeBinding } from "./handshake/server.js";
import type { HttpBinding } from "./http.js";
import { statelessBinding } from "./stateless/server.js";

/** A way of speaking for each era, newest first. */
export function serverBindings(): readonly HttpBinding[] {
  return [statelessBinding(), handshakeBinding()];
}
