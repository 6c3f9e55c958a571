import { LocalError } from "@parlance/jsonrpc";
import { toBase64Url } from "./base64-url.js";

/**
 * A secret that seals request state: 32 bytes or more, or a text of 32 characters or more. The same in every process that
 * may get a caller's next round.
 * @stable
 */
export type StateKey = string | Uint8Array;

/** A key, ready for use. */
export interface PreparedKey {
  /** Tells keys apart without telling them. */
  readonly id: string;
  readonly key: CryptoKey;
}

const minLength = 32;

/** @throws LocalError `INVALID_ARGUMENT` for a key that is too short */
export function checkStateKeys(keys: readonly StateKey[]): void {
  if (!Array.isArray(keys) || keys.length === 0) {
    throw wrong("stateKeys", "should be a list of one key or more, the newest first");
  }
  for (const [at, key] of keys.entries()) {
    const fits = (typeof key === "string" || key instanceof Uint8Array) && key.length >= minLength;
    // the key itself is told to nobody
    if (!fits) throw wrong(`stateKeys[${at}]`, `should be ${minLength} random bytes or more, or a text as long`);
  }
}

export async function prepareKey(secret: StateKey): Promise<PreparedKey> {
  const bytes = new Uint8Array(typeof secret === "string" ? new TextEncoder().encode(secret) : secret);
  const root = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey", "deriveBits"]);
  const id = await crypto.subtle.deriveBits(derivation("key id"), root, 48);
  const usages: KeyUsage[] = ["encrypt", "decrypt"];
  const key = await crypto.subtle.deriveKey(derivation("key"), root, { name: "AES-GCM", length: 256 }, false, usages);
  return { id: toBase64Url(new Uint8Array(id)), key };
}

function derivation(purpose: string): HkdfParams {
  const info = new TextEncoder().encode(`parlance request state ${purpose}`);
  return { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
}

function wrong(option: string, right: string): LocalError {
  return new LocalError("INVALID_ARGUMENT", `${option} ${right}`);
}
