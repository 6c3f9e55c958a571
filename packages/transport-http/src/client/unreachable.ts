import { LocalError } from "@parlance/jsonrpc";

/** What Node and Bun say of a connection that was there and broke. */
const broken = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_)/;

/** The error for a request that no answer came to. `fetch` says only that it failed; why is in its cause. */
export function unreachable(url: string, cause: unknown): LocalError {
  const inner: unknown = Object(cause).cause ?? cause;
  const { code, message } = Object(inner);
  const delivered = broken.test(code);
  const rest = delivered ? "; the request may have been carried out" : "";
  const why = `no answer from ${new URL(url).origin}: ${message || code || inner}${rest}`;
  return new LocalError("UNREACHABLE", why, { cause, details: delivered ? { delivered } : {} });
}
