/**
 * What a server noticed and nobody asked about.
 * `internal_error`: a caller was told "Internal error", this is why · `listener_failed`: somebody who heard a change threw ·
 * `calls_aborted`: calls were still running when the time to drain was over.
 * @stable
 */
export type ServerReport =
  | {
      readonly kind: "internal_error";
      readonly error: unknown;
      readonly method: string;
      readonly correlationId: string;
    }
  | { readonly kind: "listener_failed"; readonly error: unknown }
  | { readonly kind: "calls_aborted"; readonly count: number };
