import type { JsonObject } from "@parlance/jsonrpc";
import { type ClientCapabilities, type ClientSelf, checkExtensionId } from "@parlance/protocol-versions";
import type { CallToolOptions, Client } from "./client.js";

/**
 * An extension, as a client has it.
 * @see MCP 2026-07-28, basic/versioning, extension negotiation
 * @experimental
 */
export interface ClientExtension {
  /** A prefix and a name, as of a `_meta` key: `com.example/thing`. */
  readonly id: string;
  /** What is declared with it. Default `{}`, which says that it is there. */
  readonly settings?: JsonObject | undefined;
  /** The types of result that it adds, each with the methods that may be answered so. */
  readonly resultTypes?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Hears of each client that has it, and how that client answers what servers ask. */
  readonly connected?: ((client: Client, answer: ClientSelf["answer"]) => void) | undefined;
  /** Makes of a tool's result of such a type the one that `callTool` was asked for. Without it the result is left as it is. */
  readonly finish?: ((client: Client, result: JsonObject, options: CallToolOptions) => Promise<JsonObject>) | undefined;
}

/**
 * Extensions together, as `connectClient` takes them.
 * @experimental
 */
export interface ClientExtensions {
  declare(capabilities: ClientCapabilities): ClientCapabilities;
  readonly resultTypes: Readonly<Record<string, readonly string[]>>;
  connected(client: Client, answer: ClientSelf["answer"]): void;
  finish(client: Client, resultType: string, result: JsonObject, options: CallToolOptions): Promise<JsonObject>;
}

/**
 * Puts extensions together for `connectClient`: they are declared to every server, and used with those that announce
 * them too.
 * @throws LocalError `INVALID_ARGUMENT` for an id that is none
 * @experimental
 */
export function extensions(...all: readonly ClientExtension[]): ClientExtensions {
  for (const { id } of all) checkExtensionId(id);
  const declared = Object.fromEntries(all.map(({ id, settings = {} }) => [id, settings]));
  return {
    declare: (capabilities) => ({ ...capabilities, extensions: { ...capabilities.extensions, ...declared } }),
    resultTypes: Object.assign({}, ...all.map(({ resultTypes }) => resultTypes)),
    connected: (client, answer) => {
      for (const one of all) one.connected?.(client, answer);
    },
    finish: async (client, resultType, result, options) => {
      const owner = all.find(({ resultTypes = {} }) => Object.hasOwn(resultTypes, resultType));
      return owner?.finish === undefined ? result : owner.finish(client, result, options);
    },
  };
}
