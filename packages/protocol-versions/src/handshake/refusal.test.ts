import { batches, RpcError } from "@parlance/jsonrpc";
import { expect, test } from "vitest";
import type { Outcome } from "../feature.js";
import { exchangeOn, factsOf, refusal, request, under } from "../served.fixture.js";
import { handshakeVersions } from "../version.js";
import { handshakeServer } from "./server.js";

const era = handshakeServer({ batches });
const on = (revision: string): ReturnType<typeof exchangeOn> => exchangeOn(under(revision));

function refused(method: string, outcome: Omit<Extract<Outcome, { type: "refused" }>, "type">): Promise<RpcError> {
  const facts = factsOf([era], { [method]: () => ({ type: "refused", ...outcome }) });
  return refusal(era, request(method, { uri: "file:///gone" }), facts, on("2025-11-25"));
}

test("ERR-05: a resource that is not found is -32002 with its uri", async () => {
  const reason = "not_found";
  const gone = await refused("resources/read", { reason, message: "gone" });
  expect(gone).toMatchObject({ code: -32002, message: "gone", data: { uri: "file:///gone" } });
});

test("ERR-01: anything else that is not found is -32602, and so are wrong parameters", async () => {
  expect(await refused("prompts/get", { reason: "not_found", message: "no" })).toMatchObject({ code: -32602 });
  expect(await refused("tools/call", { reason: "invalid_params", message: "no" })).toMatchObject({ code: -32602 });
  expect(await refused("tools/call", { reason: "header_mismatch", message: "no" })).toMatchObject({ code: -32602 });
});

test("ERR-01: what the client should have declared is -32600, with what it is", async () => {
  const data = { requiredCapabilities: { roots: {} } };
  expect(await refused("tools/call", { reason: "needs_capability", message: "no", data })).toMatchObject({
    code: -32600,
    data,
  });
});

test("LC-15, ERR-05: -32042 is sent under the one revision that has it", async () => {
  const facts = factsOf([era], {
    "tools/call": async () => {
      throw new RpcError(-32042, "visit", { data: { elicitations: [] } });
    },
    "prompts/get": () => {
      throw new RpcError(-32002, "gone");
    },
  });
  const codes = await Promise.all(
    handshakeVersions.all.map(async (version) => (await refusal(era, request("tools/call"), facts, on(version))).code),
  );
  expect(codes).toEqual([-32042, -32603, -32603, -32603]);
  for (const version of handshakeVersions.all) {
    expect(() => era.serve(request("prompts/get"), on(version), facts)).toThrow(
      expect.objectContaining({ code: -32002 }),
    );
  }
});
