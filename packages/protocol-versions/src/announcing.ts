import { leaseBus } from "./bus.js";
import type { FeatureSet } from "./feature.js";
import { announce } from "./handshake/announce.js";
import { subscribing } from "./handshake/subscribe.js";

/**
 * A part for feature sets whose lists change: with it sessions are told, and without it nothing is promised to them.
 * @experimental
 */
export const announcing: Pick<FeatureSet, "session" | "protocol" | "bus"> = {
  session: announce,
  protocol: subscribing,
  bus: leaseBus,
};
