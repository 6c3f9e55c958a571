import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import type { Call, OnError } from "@parlance/protocol-versions";
import type { FeatureMiddleware } from "../feature-set.js";

/**
 * Which errors callers may read.
 * @stable
 */
export interface MaskErrorsOptions {
  /** Whether an `RpcError` that a feature threw may be read by its caller. Default: none may. */
  readonly pass?: ((error: RpcError, call: Call) => boolean) | undefined;
  /** What callers read instead. Default "Internal error". */
  readonly message?: string | undefined;
  /** Hears what was kept from a caller, under the id that the caller got. */
  readonly onError: OnError;
}

/**
 * Keeps from callers also the errors that features throw on purpose: an `RpcError` passes through a server as it is,
 * and behind this only if `pass` says so. What a feature refuses, an `AccessError` and a tool's own results are not errors
 * thrown by accident, and stay. Anything else is masked by the server itself.
 * @stable
 */
export function maskErrors(options: MaskErrorsOptions): FeatureMiddleware {
  const { pass = () => false, message = "Internal error", onError } = options;
  function masked(error: unknown, call: Call): unknown {
    if (!(error instanceof RpcError) || pass(error, call)) return error;
    const correlationId = crypto.randomUUID();
    onError(error, { method: call.method, correlationId });
    return new RpcError(rpcCodes.internalError, message, { data: { correlationId }, cause: error });
  }
  return (next) => (call) => {
    try {
      const outcome = next(call);
      if (!isPromise(outcome)) return outcome;
      return outcome.catch((error: unknown) => {
        throw masked(error, call);
      });
    } catch (error) {
      throw masked(error, call);
    }
  };
}
