import type { JsonObject } from "@parlance/jsonrpc";
import { type Call, handshakeVersions, type ProtocolVersion, statelessVersions } from "@parlance/protocol-versions";

/**
 * What is known of a call that comes from no server: its signal, principal, what the caller can do, where progress and log go.
 * @stable
 */
export type LocalCall = { readonly [Key in Exclude<keyof Call, "method" | "params">]?: Call[Key] | undefined };

/** Makes a call of what is known of it; nobody hears what nobody asked for. */
export function createLocalCall(method: string, params: JsonObject, given: LocalCall | undefined): Call {
  const call: Call = {
    method,
    params,
    meta: {},
    version: newest(),
    // One each: listeners on a signal that all calls share would pile up.
    signal: given?.signal ?? new AbortController().signal,
    caller: { capabilities: {} },
    progress: unheard,
    log: unheard,
  };
  // By descriptor: the members of a call that is passed on may be getters, and stay lazy.
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(given ?? {}))) {
    const says = descriptor.get !== undefined || descriptor.value !== undefined;
    if (says && key !== "method" && key !== "params") Object.defineProperty(call, key, descriptor);
  }
  return call;
}

async function unheard(): Promise<void> {}

function newest(): ProtocolVersion {
  const [version] = [...statelessVersions, ...handshakeVersions.default];
  if (version === undefined) throw new RangeError("No protocol revision is known");
  return version;
}
