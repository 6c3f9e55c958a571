import type { JsonObject } from "@parlance/jsonrpc";
import { type CallResult, checkExtensionId } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import { type ClientPart, inner } from "./inner.js";
import type { RequestOptions } from "./waiting.js";

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
  /** Makes of a tool's result of such a type the one that `callTool` was asked for. Without it the result is left as it is. */
  readonly finish?: ((client: Client, result: JsonObject, options: RequestOptions) => Promise<JsonObject>) | undefined;
}

/**
 * Puts extensions together for `connectClient`: they are declared to every server, and used with those that announce
 * them too.
 * @throws LocalError `INVALID_ARGUMENT` for an id that is none
 * @experimental
 */
export function extensions(...all: readonly ClientExtension[]): ClientPart {
  for (const { id } of all) checkExtensionId(id);
  const declared = Object.fromEntries(all.map(({ id, settings = {} }) => [id, settings]));

  /** Whose a type of result is, where it may be the answer of that method. */
  function ownerOf(method: string, { type }: CallResult): ClientExtension | undefined {
    return all.find(({ resultTypes = {} }) =>
      Object.entries(resultTypes).some(([own, methods]) => own === type && methods.includes(method)),
    );
  }

  return (client) => {
    const { self, resultOf, readerOf } = client;
    self.capabilities = { ...self.capabilities, extensions: { ...self.capabilities.extensions, ...declared } };
    client.resultOf = (method, answer) => (ownerOf(method, answer) ? answer.result : resultOf(method, answer));
    client.readerOf = (of, name, options) => {
      const read = readerOf(of, name, options);
      return async (answer) => {
        const owner = ownerOf("tools/call", answer);
        if (owner?.finish === undefined) return read(answer);
        return read({ type: "complete", result: await owner.finish(of, answer.result, options) });
      };
    };
  };
}

/**
 * Answers a question as the client does that a server asks: for extensions whose servers ask in a way of their own.
 * @throws what the client's `answers` throw; RpcError −32601 without any
 * @experimental
 */
export function answerQuestion(
  client: Client,
  method: string,
  params: JsonObject,
  signal?: AbortSignal,
): Promise<JsonObject> {
  return client[inner].self.answer(method, params, signal);
}
