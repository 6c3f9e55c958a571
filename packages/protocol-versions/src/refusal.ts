import { type JsonObject, RpcError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { Refused } from "./feature.js";
import { isJsonObject } from "./json-object.js";
import type { ProtocolVersion } from "./version.js";

/**
 * The error of an era for a refusal, by the era's code. What is not found is named, where it has a URI.
 */
export function refusalError(
  { reason, message, data }: Refused,
  params: JsonObject | undefined,
  codes: Readonly<Record<Refused["reason"], number>>,
): RpcError {
  const uri = params?.["uri"];
  const unnamed = reason === "not_found" && uri !== undefined && (data === undefined || isJsonObject(data));
  return new RpcError(codes[reason], message, { data: unnamed ? { uri, ...data } : data });
}

/** Names the versions that would do. */
export function unsupportedVersion(code: number, requested: unknown, supported: readonly ProtocolVersion[]): RpcError {
  return new RpcError(
    code,
    `protocol version ${excerpt(requested)} is not supported; supported are ${supported.join(", ")}`,
    { data: { supported, requested }, early: true },
  );
}

/** An error with another code, where an era does not have the one that was thrown. */
export function recoded(thrown: RpcError, code: number): RpcError {
  return new RpcError(code, thrown.message, { data: thrown.data, cause: thrown });
}
