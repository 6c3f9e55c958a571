import { LocalError } from "@parlance/jsonrpc";
import { expect, test } from "vitest";
import { handshakeVersions } from "../version.js";
import { handshakeClient } from "./client.js";
import { speak } from "./revision.js";
import { handshakeServer } from "./server.js";
import { newestVersion, oldestVersion } from "./versions.js";

const sides = { server: handshakeServer, client: handshakeClient };

test.each(Object.entries(sides))("a %s prefers the newest of the versions it is given", (_, side) => {
  expect(side({ versions: ["2024-11-05", "2025-06-18"] }).versions).toEqual(["2025-06-18", "2024-11-05"]);
});

test.each(Object.entries(sides))("a %s of no version, or of one that knows no handshake, is refused", (_, side) => {
  for (const versions of [[], ["2026-07-28"], ["2025-11-25", "2024-01-01"]]) {
    const make = (): unknown => side({ versions: versions as never });
    expect(make).toThrow(LocalError);
    expect(make).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
});

test.each(handshakeVersions.all)("META-18, LC-15: what a client knows of %s is what the revision says", (version) => {
  const info = { name: "s", version: "1", title: "S", description: "d", icons: [], websiteUrl: "w" };
  const { downgrade } = speak(version);
  expect(version === newestVersion).toBe(downgrade("Implementation", info) === info);
  expect(version === oldestVersion).toBe(!("completions" in downgrade("ServerCapabilities", { completions: {} })));
});
