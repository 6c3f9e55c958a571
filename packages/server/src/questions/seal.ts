import { type JsonObject, LocalError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { type Call, isJsonObject } from "@parlance/protocol-versions";
import { fromBase64Url, toBase64Url } from "./base64-url.js";
import { type PreparedKey, prepareKey, type StateKey } from "./state-key.js";
import type { UsedStates } from "./used-states.js";

/** How request state is sealed. */
export interface SealOptions {
  /** The first seals, all open. Absent: one that is made up, and known to this process only. */
  readonly keys?: readonly StateKey[] | undefined;
  /** For how long state is good, in milliseconds. */
  readonly ttlMs: number;
  readonly used?: UsedStates | undefined;
  /** Hears why a state did not open, where that is the server's own fault. */
  readonly failed: (error: LocalError, call: Call) => void;
}

export interface Sealer {
  /** @throws LocalError `INVALID_ARGUMENT` for state that is too long to come back */
  seal(call: Call, state: string): Promise<string>;
  /** @throws RpcError −32602, which does not say why */
  open(call: Call, sealed: string): Promise<string>;
}

const ivBytes = 12;

/** How long state may be, in UTF-16 code units: sealed it has to fit into what transports take of the next round. */
const maxStateLength = 1_000_000;

/**
 * Seals request state with AES-256-GCM. Who calls, what method and with what parameters is authenticated along with it,
 * so it opens for nothing else.
 * @see MCP 2026-07-28, basic/patterns/mrtr, security
 */
export function createSealer({ keys, ttlMs, used, failed }: SealOptions): Sealer {
  let prepared: Promise<readonly PreparedKey[]> | undefined;

  function prepare(): Promise<readonly PreparedKey[]> {
    prepared ??= Promise.all((keys ?? [crypto.getRandomValues(new Uint8Array(32))]).map(prepareKey));
    return prepared;
  }

  async function decrypt(call: Call, sealed: string): Promise<string | undefined> {
    const [id = "", body = "", ...rest] = sealed.split(".");
    const bytes = fromBase64Url(body);
    if (bytes === undefined || bytes.length <= ivBytes || rest.length > 0) return undefined;
    const found = (await prepare()).find((key) => key.id === id);
    if (found === undefined) {
      if (/^[\w-]{8}$/.test(id)) failed(unknownKey(id, keys === undefined), call);
      return undefined;
    }
    const iv = bytes.subarray(0, ivBytes);
    try {
      const plain = await crypto.subtle.decrypt(parameters(iv, call, id), found.key, bytes.subarray(ivBytes));
      const { until, state } = JSON.parse(new TextDecoder().decode(plain));
      if (until < Date.now()) return undefined;
      if (used !== undefined && !(await used.claim(body.slice(0, 16), until))) return undefined;
      return state;
    } catch {
      return undefined;
    }
  }

  return {
    async seal(call, state) {
      if (state.length > maxStateLength) throw tooLong(state.length);
      const [first] = await prepare();
      if (first === undefined) throw new LocalError("INVALID_ARGUMENT", "stateKeys is empty");
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const plain = new TextEncoder().encode(JSON.stringify({ until: Date.now() + ttlMs, state }));
      const sealed = await crypto.subtle.encrypt(parameters(iv, call, first.id), first.key, plain);
      const bytes = new Uint8Array(ivBytes + sealed.byteLength);
      bytes.set(iv);
      bytes.set(new Uint8Array(sealed), ivBytes);
      return `${first.id}.${toBase64Url(bytes)}`;
    },
    async open(call, sealed) {
      const state = await decrypt(call, sealed);
      if (state !== undefined) return state;
      throw new RpcError(rpcCodes.invalidParams, "requestState does not open for this request; make the call anew");
    },
  };
}

function parameters(iv: Uint8Array<ArrayBuffer>, call: Call, id: string): AesGcmParams {
  const { _meta, inputResponses, requestState, ...params } = call.params;
  const bound = [1, id, call.principal?.id ?? null, call.method, params];
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(JSON.stringify(bound, inOrder)) };
}

/** A caller may write members in another order the second time. */
function inOrder(_key: string, value: unknown): unknown {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value;
}

function byName([one]: JsonEntry, [other]: JsonEntry): number {
  return one < other ? -1 : 1;
}

type JsonEntry = readonly [string, JsonObject[string]];

function tooLong(length: number): LocalError {
  const right = "let call.once give an id, and keep what it names";
  return new LocalError(
    "INVALID_ARGUMENT",
    `what the call carries to its next round is ${length} characters long, and ${maxStateLength} are the limit; ${right}`,
  );
}

function unknownKey(id: string, isOwn: boolean): LocalError {
  const why = isOwn
    ? "this process made up its own key; give all processes that serve the same callers the same stateKeys: questions({ stateKeys: [key] })"
    : "stateKeys has no key of that id; keep a key in the list until what it sealed has expired";
  return new LocalError("INVALID_ARGUMENT", `a request state came that another key sealed (${id}): ${why}`, {
    details: { option: "stateKeys", keyId: id },
  });
}
