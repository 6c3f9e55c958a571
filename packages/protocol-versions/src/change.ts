import type { JsonObject } from "@parlance/jsonrpc";

/**
 * Something that a server says has changed.
 * @stable
 */
export type Change =
  | { readonly type: "tools" }
  | { readonly type: "prompts" }
  | { readonly type: "resources" }
  | { readonly type: "resource"; readonly uri: string }
  | {
      readonly type: "extension";
      readonly method: string;
      readonly params: JsonObject;
      /** The listen key it answers to; absent on the client. */
      readonly key?: { readonly name: string; readonly value: string } | undefined;
    };

/**
 * Carries changes from whoever makes them to every connection that wants them.
 * @stable
 */
export interface ChangeBus {
  publish(change: Change): void;
  /** @returns what ends the subscription */
  subscribe(listener: (change: Change) => void): () => void;
}
