import { RpcError } from "@parlance/jsonrpc";
import { handshakeVersions } from "@parlance/protocol-versions";
import { expect, test } from "vitest";
import { revisionOf } from "./sessionless.js";

test("HTTP-L-56: a request that does not say is under 2025-03-26 where it is on, else under the oldest that HTTP has", () => {
  expect(revisionOf(null, handshakeVersions.all)).toBe("2025-03-26");
  expect(revisionOf(null, handshakeVersions.default)).toBe("2025-06-18");
  expect(revisionOf(null, ["2024-11-05"])).toBe("2024-11-05");
  expect(revisionOf("2024-11-05", handshakeVersions.default)).toBe("2024-11-05");
});

test.each(["2025-03-26", "", "9".repeat(10_000)])("%s, which is not on, is refused, naming those that are", (asked) => {
  const refusal = (() => {
    try {
      return revisionOf(asked, handshakeVersions.default);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(RpcError);
  expect(refusal).toMatchObject({ code: -32600, early: true });
  expect(String(refusal)).toContain("2025-11-25, 2025-06-18, 2024-11-05");
  expect(String(refusal).length).toBeLessThan(300);
});
