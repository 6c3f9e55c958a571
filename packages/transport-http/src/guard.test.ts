import { AccessError } from "@parlance/jsonrpc";
import { expect, test, vi } from "vitest";
import { type BearerOptions, bearer, staticTokens } from "./guard.js";
import type { HttpRequest } from "./index.js";

function request(authorization: string | null): HttpRequest {
  return {
    method: "POST",
    url: "/mcp",
    headers: { get: (name) => (name === "authorization" ? authorization : null) },
    signal: new AbortController().signal,
    readText: async () => "",
  };
}

const ada = { id: "ada", scopes: ["read"] };
const check = (options: Partial<BearerOptions>, header: string | null = "Bearer t") =>
  bearer({ verify: () => ada, ...options })(request(header));

test("a bearer token names its principal, whatever the case of the scheme", async () => {
  const verify = vi.fn((_token: string) => ada);
  for (const header of ["Bearer abc.-_~+/==", "bearer  abc.-_~+/=="]) {
    expect(await check({ verify }, header)).toEqual(ada);
  }
  expect(verify.mock.calls.map(([token]) => token)).toEqual(["abc.-_~+/==", "abc.-_~+/=="]);
});

test("without a token the challenge names no error; with one that is not valid it does", async () => {
  expect(await check({}, null)).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
  for (const header of ["Basic abc", "Bearer", "Bearer a b", "Bearer é", "Bearer a,b"]) {
    const challenge = await check({}, header);
    expect(challenge).toMatchObject({
      headers: { "www-authenticate": expect.stringContaining('error="invalid_token"') },
    });
  }
  expect(await check({ verify: () => undefined })).toMatchObject({ status: 401 });
});

test("a check that fails is told to its author and not to the caller", async () => {
  const onError = vi.fn();
  const verify = async (): Promise<never> => Promise.reject(new Error("database down"));
  const challenge = await check({ verify, onError });
  expect(JSON.stringify(challenge)).not.toContain("database");
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: "database down" }));
});

test("a token ends at its time", async () => {
  const verify = () => ({ ...ada, expiresAtMs: 1_000 });
  expect(await check({ verify, now: () => 999 })).toMatchObject({ id: "ada" });
  expect(await check({ verify, now: () => 1_000 })).toMatchObject({ status: 401 });
});

test("a missing scope is 403 and names what is needed, and where to ask", async () => {
  const options = { scopes: ["read", "write"], resourceMetadata: 'https://x/"\r\n' };
  expect(await check(options)).toMatchObject({
    status: 403,
    headers: {
      "www-authenticate": 'Bearer error="insufficient_scope", scope="read write", resource_metadata="https://x/"',
    },
  });
  expect(await check({ scopes: ["read"] })).toEqual(ada);
});

test("SEC-21: static tokens are compared by digests of one length, and all of them each time", async () => {
  const digest = vi.spyOn(crypto.subtle, "digest");
  const guard = staticTokens({ one: ada, two: { id: "bob", scopes: [] } });
  expect(await guard(request("Bearer two"))).toMatchObject({ id: "bob" });
  expect(await guard(request("Bearer on"))).toMatchObject({ status: 401 });
  expect(await guard(request("Bearer onee"))).toMatchObject({ status: 401 });
  expect(digest).toHaveBeenCalledTimes(5);
  digest.mockRestore();
});

test("a token that could never be sent is refused when the guard is made", () => {
  for (const token of ["", "a b", "é", "a\n"]) {
    expect(() => staticTokens({ [token]: ada })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
});

test("a refusal of a feature is worded by the guard", () => {
  const { challenge } = bearer({ verify: () => ada, scopes: ["base"] });
  const scope = challenge?.(new AccessError("INSUFFICIENT_SCOPE", "more", { scopes: ["x", "y"] }));
  expect(scope).toMatchObject({
    status: 403,
    headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="x y"' },
  });
  const patience = challenge?.(new AccessError("RATE_LIMITED", "later"));
  expect(patience).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
});
