import type { Way } from "./client/speech.js";
import { handshakeWay } from "./handshake/client.js";
import { statelessWay } from "./stateless/client.js";

/** A way of speaking for each era, newest first. */
export const clientWays: readonly Way[] = [statelessWay, handshakeWay];
