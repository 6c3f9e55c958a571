import type { JsonObject } from "@parlance/jsonrpc";
import { type Call, type Feature, isJsonObject } from "@parlance/protocol-versions";
import type { Client } from "../client.js";
import { inner } from "../inner.js";
import { listTools } from "../tools.js";

type Check = (args: JsonObject, header: (name: string) => string | undefined) => string | undefined;

/**
 * Reads from the schema of a tool which of its arguments HTTP repeats in headers: `parameterHeaders` of
 * `@parlance/transport-http`.
 * @stable
 */
export type ReadHeaders = (inputSchema: JsonObject) => { readonly check?: Check | undefined };

/**
 * Refuses calls whose headers are not what their arguments are, by the schemas that the server lists.
 * @see MCP 2026-07-28, basic/transports/streamable-http, custom headers from tool parameters
 */
export function compareHeaders(client: Client, read: ReadHeaders, next: Feature): Feature {
  let known: Promise<ReadonlyMap<string, Check | undefined>> | undefined;

  function learn(): Promise<ReadonlyMap<string, Check | undefined>> {
    const listing = listTools(client, { cache: "refresh" });
    known = listing.then((tools) => new Map(tools.map(({ name, inputSchema }) => [name, read(inputSchema).check])));
    known.catch(forget);
    return known;
  }

  function forget(): void {
    known = undefined;
  }

  async function fault({ params }: Call, header: NonNullable<Call["header"]>): Promise<string | undefined> {
    const { name, arguments: args = {} } = params;
    // what is no call is the server's to refuse
    if (typeof name !== "string" || !isJsonObject(args)) return undefined;
    let rules = await (known ?? learn());
    if (!rules.has(name)) rules = await learn();
    const found = rules.get(name)?.(args, header);
    // the tool may have changed since
    return found === undefined ? undefined : (await learn()).get(name)?.(args, header);
  }

  client[inner].told.add((event) => {
    if (event.type === "tools" || event.type === "resync") forget();
  });
  return async (call) => {
    const message = call.header && (await fault(call, call.header));
    return message === undefined ? next(call) : { type: "refused", reason: "header_mismatch", message };
  };
}
