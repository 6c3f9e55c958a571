/**
 * Something that an era noticed on the client's side and that no promise tells.
 *
 * - `session_replaced`: the server had forgotten the session, and another was opened in its place
 * - `not_restored`: something asked for in the old session could not be asked for again in the new one
 * @stable
 */
export type EraReport =
  | { readonly kind: "session_replaced"; readonly version: string; readonly cause: unknown }
  | { readonly kind: "not_restored"; readonly method: string; readonly error: unknown };
