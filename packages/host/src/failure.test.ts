import { LocalError, RpcError } from "@parlance/jsonrpc";
import { expect, test } from "vitest";
import { withoutSecrets } from "./failure.js";

const redact = (text: string) => text.replaceAll("hunter22", "***");

test("an error that holds a secret, wherever it does, stays what it is without it", () => {
  const refused = withoutSecrets(new RpcError(-32001, "no", { data: { key: ["hunter22"] } }), redact);
  expect(refused).toBeInstanceOf(RpcError);
  expect(JSON.parse(JSON.stringify(refused))).toEqual({ code: -32001, message: "no" });
  const details = { exitCode: 1, stderr: ["key hunter22"] };
  const lost = withoutSecrets(new LocalError("CLOSED", "key hunter22", { details }), redact);
  expect(lost).toMatchObject({ code: "CLOSED", message: "key ***", details: { exitCode: 1, stderr: ["key ***"] } });
  const cause = new Error("outer", { cause: new Error("inner", { cause: new Error("hunter22") }) });
  expect(withoutSecrets(cause, redact)).not.toHaveProperty("cause");
});

test("an error without one passes as it is", () => {
  const error = new Error("no such tool", { cause: new Error("none") });
  expect(withoutSecrets(error, redact)).toBe(error);
});
