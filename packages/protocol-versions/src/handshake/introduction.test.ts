import { expect, test } from "vitest";
import { handshakeVersions } from "../version.js";
import { handshakeRevision } from "./differences.js";
import { introductionTo } from "./introduction.js";

test.each(handshakeVersions.all)("META-18, LC-15: what a client knows of %s is what the revision says", (version) => {
  const { batches, laterFields } = handshakeRevision(version);
  const { laterInfo, batches: ours = false, impliesCompletions = false } = introductionTo(version);
  expect([...laterInfo].sort()).toEqual([...(laterFields.Implementation ?? [])].sort());
  expect(ours).toBe(batches);
  expect(impliesCompletions).toBe(laterFields.ServerCapabilities?.includes("completions") ?? false);
});
