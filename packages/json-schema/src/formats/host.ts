const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[\da-f]{1,4}$/i;

/**
 * RFC 1123 host name: labels of letters, digits and inner hyphens. Of internationalized labels only the form is looked at.
 * @stable
 */
export function hostname(text: string): boolean {
  if (text.length > 253) return false;
  return text.split(".").every((label) => LABEL.test(label) && (label.slice(2, 4) !== "--" || /^xn--./i.test(label)));
}

/**
 * Four numbers up to 255, without leading zeros.
 * @stable
 */
export function ipv4(text: string): boolean {
  const octets = text.split(".", 5);
  return octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) < 256);
}

/**
 * RFC 4291: eight groups, of which one run of zeros may be `::`, and the last two may be an IPv4 address. No zone.
 * @stable
 */
export function ipv6(text: string): boolean {
  if (text.length > 45) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let count = 0;
  for (const [index, half] of halves.entries()) {
    const groups = half === "" ? [] : half.split(":");
    const last = groups.at(-1);
    if (last?.includes(".")) {
      if (index !== halves.length - 1 || !ipv4(last)) return false;
      groups.splice(-1, 1, "0", "0");
    }
    if (!groups.every((group) => GROUP.test(group))) return false;
    count += groups.length;
  }
  return halves.length === 2 ? count < 8 : count === 8;
}

const ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+$/;
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;

/**
 * RFC 5321 mailbox: a dot-atom or quoted string, `@`, and a host name or an address in brackets.
 * @stable
 */
export function email(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(0, at));
  const domain = text.slice(at + 1);
  if (local.length > 64 || !(QUOTED.test(local) || local.split(".").every((atom) => ATOM.test(atom)))) return false;
  const literal = /^\[(?:IPv6:(.*)|(.*))\]$/i.exec(domain);
  if (literal === null) return hostname(domain);
  return literal[1] === undefined ? ipv4(literal[2] ?? "") : ipv6(literal[1]);
}
