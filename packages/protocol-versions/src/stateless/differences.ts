import type { ProtocolRevision } from "../revision.js";

const v2026_07_28: ProtocolRevision = {
  version: "2026-07-28",
  foreignMethods: [
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "tasks/list",
    "tasks/result",
  ],
  foreignCodes: [-32002, -32042],
};

/**
 * The revisions of the stateless era by version.
 */
export const statelessRevisions: ReadonlyMap<string, ProtocolRevision> = /* @__PURE__ */ new Map([
  ["2026-07-28", v2026_07_28],
]);
