import { describe, expect, test, vi } from "vitest";
import { AccessError, LocalError, RpcError, rpcCodes } from "./error.js";

const errors = [
  new RpcError(1, "rpc"),
  new LocalError("CLOSED", "local"),
  new AccessError("RATE_LIMITED", "access"),
] as const;
const classes = [RpcError, LocalError, AccessError] as const;

describe("instanceof", () => {
  test("ERR-09: an error of ours is told from an answer of the peer, and from any other error", () => {
    for (const [n, error] of errors.entries()) {
      expect(classes.map((type) => error instanceof type)).toEqual(classes.map((_, m) => m === n));
      expect(error).toBeInstanceOf(Error);
    }
    for (const other of [new Error("plain"), { code: "CLOSED" }, null, undefined, "text"]) {
      expect(classes.map((type) => (other as unknown) instanceof type)).toEqual([false, false, false]);
    }
  });

  test("it holds across two installed copies", async () => {
    vi.resetModules();
    const copy = await import("./error.js");
    expect(copy.RpcError).not.toBe(RpcError);
    expect(new copy.RpcError(1, "rpc")).toBeInstanceOf(RpcError);
    expect(new copy.LocalError("CLOSED", "local")).toBeInstanceOf(LocalError);
    expect(new copy.LocalError("CLOSED", "local")).not.toBeInstanceOf(RpcError);
  });

  test("a subclass is told from its parent and from its siblings", () => {
    class Retry extends RpcError {}
    class Quota extends RpcError {}
    expect(new Retry(1, "again")).toBeInstanceOf(Retry);
    expect(new Retry(1, "again")).toBeInstanceOf(RpcError);
    expect(new Retry(1, "again")).not.toBeInstanceOf(Quota);
    expect(new RpcError(1, "plain")).not.toBeInstanceOf(Retry);
  });
});

describe("what an error carries", () => {
  test("its class is its name, and neither name nor brand clutters a log", () => {
    expect(errors.map(({ name }) => name)).toEqual(["RpcError", "LocalError", "AccessError"]);
    expect(errors.flatMap((error) => Object.keys(error)).sort()).toEqual(
      ["code", "code", "details", "code", "scopes", "retryAfterMs"].sort(),
    );
    expect(String(errors[0])).toBe("RpcError: rpc");
    const all = new RpcError(1, "rpc", { data: 0, early: true });
    expect(Object.entries(all)).toEqual([
      ["code", 1],
      ["data", 0],
      ["early", true],
    ]);
  });

  test.each(classes)("%o does not name itself: bundlers would rename it, and logs would show that", (type) => {
    const [, ...body] = String(type).split("{");
    expect(body.join("{")).not.toMatch(new RegExp(`\\b${type.name}\\b(?!")`));
  });

  test("BUG-71: the wire form has code, message and data, and never the cause", () => {
    const cause = new Error("secret");
    expect(JSON.stringify(new RpcError(7, "no", { cause, early: true }))).toBe('{"code":7,"message":"no"}');
    expect(JSON.stringify(new RpcError(7, "no", { data: null }))).toBe('{"code":7,"message":"no","data":null}');
    expect(new RpcError(7, "no", { cause }).cause).toBe(cause);
    expect("cause" in new RpcError(7, "no")).toBe(false);
  });

  test("ERR-01: the standard codes are JSON-RPC's", () => {
    expect(rpcCodes).toEqual({
      parseError: -32700,
      invalidRequest: -32600,
      methodNotFound: -32601,
      invalidParams: -32602,
      internalError: -32603,
    });
  });
});
