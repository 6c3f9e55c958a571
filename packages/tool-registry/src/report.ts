/**
 * What a registry has to say besides its answers.
 * `unusual_tool_name`: registered, but some clients will not take the name ·
 * `shared_filtered_list`: the list depends on the caller, but its cache hint lets others see it ·
 * `tool_failed`: a caller was given a reference instead of an error, this is why · `listener_failed`: somebody who heard a change threw.
 * @stable
 */
export type RegistryReport =
  | { readonly kind: "unusual_tool_name"; readonly tool: string; readonly problem: string }
  | { readonly kind: "shared_filtered_list" }
  | { readonly kind: "tool_failed"; readonly tool: string; readonly correlationId: string; readonly error: unknown }
  | { readonly kind: "listener_failed"; readonly error: unknown };
