import { type AccessError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { travels } from "@parlance/jsonrpc/brand";
import type { OnError } from "@parlance/protocol-versions";

/**
 * Makes of anything thrown an error that may travel: an answer that was meant passes as it is,
 * everything else becomes "Internal error" and its cause stays here.
 */
export function mask(
  error: unknown,
  method: string,
  call: { readonly signal: AbortSignal },
  hear: OnError,
): RpcError | AccessError {
  if (travels(error)) return error;
  const correlationId = crypto.randomUUID();
  if (!isAbort(error, call.signal)) hear(error, { method, correlationId });
  return new RpcError(rpcCodes.internalError, "Internal error", { data: { correlationId }, cause: error });
}

/** A call that stops because it was told to is no fault, and nobody reads its answer. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || (error instanceof Error && error.name === "AbortError");
}
