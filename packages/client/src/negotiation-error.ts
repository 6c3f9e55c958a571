import { LocalError, RpcError } from "@parlance/jsonrpc";
import type { ClientEra } from "@parlance/protocol-versions";

/** An era that was tried, and why nothing came of it. */
export interface Attempt {
  readonly era: ClientEra;
  readonly cause: Error | undefined;
}

/** The error of a negotiation that tried everything: it says what was tried, and both lists where the server gave one. */
export function negotiationError(
  eras: readonly ClientEra[],
  attempts: readonly Attempt[],
  offered: readonly string[] | undefined,
): LocalError {
  const client = eras.flatMap(({ versions }) => versions);
  const tried = attempts.map(({ era, cause }) => `${era.name} (${era.versions.join(", ")}): ${tell(cause)}`);
  const cause = attempts.at(-1)?.cause;
  const details = { server: offered ?? [], client, tried };
  if (cause instanceof LocalError && cause.code !== "BAD_REPLY") {
    const message = `${cause.message}; tried ${attempts.map(({ era }) => era.name).join(", then ")}`;
    return new LocalError(cause.code, message, { cause, details: { ...cause.details, ...details } });
  }
  const isForeign = offered !== undefined && !client.some((version) => offered.includes(version));
  const message = isForeign
    ? `the server speaks only ${offered.join(", ")}; this client speaks ${client.join(", ")}`
    : `the server could not be spoken to; tried ${tried.join("; ")}`;
  return new LocalError("VERSION_MISMATCH", message, { cause, details });
}

function tell(cause: Error | undefined): string {
  return cause instanceof RpcError ? `error ${cause.code} ${cause.message}` : (cause?.message ?? "not spoken");
}
