import type { ErrorContext } from "@parlance/protocol-versions";

/**
 * What a server noticed and nobody asked about.
 * `internal_error`: a caller was told "Internal error", or that a tool failed, this is why · `listener_failed`: somebody who heard a change threw ·
 * `calls_aborted`: calls were still running when the time to drain was over.
 * @stable
 */
export type ServerReport =
  | ({ readonly kind: "internal_error"; readonly error: unknown } & ErrorContext)
  | { readonly kind: "listener_failed"; readonly error: unknown }
  | { readonly kind: "calls_aborted"; readonly count: number };

/**
 * What resources and prompts noticed.
 * `shared_filtered_list`: a list depends on the caller, but its cache hint lets others see it ·
 * `listener_failed`: somebody who heard a change, or who is told of listeners, threw.
 * @stable
 */
export type CatalogReport =
  | { readonly kind: "shared_filtered_list" }
  | { readonly kind: "listener_failed"; readonly error: unknown };
