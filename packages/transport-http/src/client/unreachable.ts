import { LocalError } from "@parlance/jsonrpc";

/** What Node and Bun say of a connection that was there and broke. */
const broken = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_)/;

/** The error for a request that no answer came to. `fetch` says only that it failed; why is in its cause. */
export function unreachable(url: string, cause: unknown): LocalError {
  const { cause: inner = cause } = cause instanceof Error ? cause : {};
  const { code, message } = inner instanceof Error ? (inner as Error & { readonly code?: unknown }) : {};
  const delivered = typeof code === "string" && broken.test(code);
  const why = message === undefined ? String(inner) : message === "" ? String(code) : message;
  const rest = delivered ? "; the request may have been carried out" : "";
  return new LocalError("UNREACHABLE", `no answer from ${new URL(url).origin}: ${why}${rest}`, {
    cause,
    details: delivered ? { delivered } : {},
  });
}
