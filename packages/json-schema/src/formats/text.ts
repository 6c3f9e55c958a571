/**
 * RFC 9562 UUID, of any version and in any case.
 * @stable
 */
export function uuid(text: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text);
}

/**
 * A regular expression as ECMAScript reads it with the `u` flag. It is only looked at, never run.
 * @stable
 */
export function regex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/**
 * RFC 6901 JSON pointer: empty, or steps that begin with `/`.
 * @stable
 */
export function jsonPointer(text: string): boolean {
  return /^(?:\/(?:[^/~]|~[01])*)*$/.test(text);
}
