import { LocalError, RpcError } from "@parlance/jsonrpc";
import { PublicError } from "@parlance/tool-registry";

/**
 * Why a server is not connected.
 * @stable
 */
export interface ServerFailure {
  readonly message: string;
  /** `SPAWN_FAILED`, `CLOSED`, `TIMEOUT`, `UNREACHABLE`, `UNAUTHORIZED`, …; absent: the server refused. */
  readonly code?: string | undefined;
  /** How its process ended, if it did. */
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** The last lines that it printed on stderr. */
  readonly stderr: readonly string[];
}

/** Describes an error for the status of a server; nobody should see what `redact` takes out. */
export function failureOf(error: unknown, stderr: readonly string[]): ServerFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof LocalError)) return { message, stderr };
  const { exitCode, signal } = error.details;
  return {
    message,
    code: error.code,
    exitCode: typeof exitCode === "number" ? exitCode : undefined,
    signal: typeof signal === "string" ? signal : undefined,
    stderr,
  };
}

/** The same error when it holds no secret, or else one without. */
export function withoutSecrets(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? redact(error) : error;
  if (!holdsSecrets(error, redact)) return error;
  const message = redact(error.message);
  // what it holds besides is left out rather than looked through
  if (error instanceof RpcError) return new RpcError(error.code, message);
  if (!(error instanceof LocalError)) return new Error(message);
  const clean = Object.entries(error.details).map(([key, value]) => [key, clear(value, redact)]);
  return new LocalError(error.code, message, { details: Object.fromEntries(clean) });
}

/** Whether an error, or what caused it, holds a secret. */
function holdsSecrets(error: unknown, redact: (text: string) => string): boolean {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    const more = at instanceof LocalError ? at.details : at instanceof RpcError ? at.data : undefined;
    const told = `${at.message} ${JSON.stringify(more)}`;
    if (redact(told) !== told) return true;
  }
  return false;
}

function clear(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  return Array.isArray(value) ? value.map((each) => clear(each, redact)) : value;
}

/** How a server ended, without what it printed: that is for the log, and not for whoever called a tool. */
function endOf(server: string, error: unknown): string {
  if (error instanceof LocalError && error.code === "UNREACHABLE") return `server "${server}" cannot be reached`;
  const { exitCode, signal } = error instanceof LocalError ? error.details : {};
  if (typeof signal === "string") return `server "${server}" was ended by ${signal}`;
  return typeof exitCode === "number" ? `server "${server}" exited with code ${exitCode}` : `server "${server}" ended`;
}

/** Why a call came to nothing, in words that the caller may read. */
export function callFailure(server: string, tool: string, error: unknown): PublicError {
  return new PublicError(`tool "${tool}" failed: ${reasonOf(server, error)}`, { cause: error });
}

function reasonOf(server: string, error: unknown): string {
  const code = error instanceof LocalError ? error.code : undefined;
  switch (code) {
    case "CLOSED":
      return `${endOf(server, error)} before it answered`;
    case "UNREACHABLE":
      return endOf(server, error);
    case "UNAUTHORIZED":
      return `server "${server}" wants other credentials`;
    case "TIMEOUT":
    case "BAD_REPLY":
    case "UNSUPPORTED":
      return error instanceof Error ? error.message : code;
    default:
      return `server "${server}" could not be asked`;
  }
}

/** What a call is told at once while its server is away. */
export function unavailable(server: string, tool: string, error: unknown, isOver: boolean): PublicError {
  const then = isOver ? "and is not started again" : "and is being started again; try later";
  return new PublicError(`tool "${tool}" is unavailable: ${endOf(server, error)} ${then}`, { cause: error });
}
