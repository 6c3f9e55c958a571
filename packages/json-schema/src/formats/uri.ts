import { ipv4, ipv6 } from "./host.js";

// RFC 3986, appendix B: every string matches; what the parts may hold is looked at one by one
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const SCHEME = /^[a-z][a-z\d+.-]*$/i;
const AUTHORITY = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/;
const TEXT = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*$/i;
const NAME = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*$/i;
const USER = /^(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*$/i;
const FUTURE = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

function isAuthority(text: string): boolean {
  const [, user = "", host] = AUTHORITY.exec(text) ?? [];
  if (host === undefined || !USER.test(user)) return false;
  if (!host.startsWith("[")) return NAME.test(host) || ipv4(host);
  const literal = host.slice(1, -1);
  return ipv6(literal) || FUTURE.test(literal);
}

/**
 * RFC 3986 URI reference: absolute or relative.
 * @stable
 */
export function uriReference(text: string): boolean {
  const [, scheme, authority, path = "", query = "", fragment = ""] = PARTS.exec(text) ?? [];
  if (scheme !== undefined && !SCHEME.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority)) return false;
  return [path, query, fragment].every((part) => TEXT.test(part));
}

/**
 * RFC 3986 URI: with a scheme.
 * @stable
 */
export function uri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(text) && uriReference(text);
}
