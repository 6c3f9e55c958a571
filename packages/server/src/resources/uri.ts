// One alternative for each kind of character, so that nothing is tried twice. Brackets belong to an IP address.
const uriPattern = /^[a-z][a-z\d+.-]*:(?:[\w!$&'()*+,;=:@/?#.~-]|%[\da-f]{2}|[^\0-\x7f]|\[[\da-fv.:]+\])*$/i;

/**
 * Whether a text is a URI, with its scheme; characters beyond ASCII are taken as they are.
 * @see RFC 3986, appendix A; RFC 3987
 */
export function isUri(value: unknown): value is string {
  return typeof value === "string" && uriPattern.test(value);
}
