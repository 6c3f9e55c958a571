import type { Report } from "@parlance/jsonrpc";

/**
 * What goes wrong over HTTP on the client's side and no promise tells. None of it names a session or a token.
 * @stable
 */
export type HttpClientReport = Report;
