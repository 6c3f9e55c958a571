/**
 * What is odd about a URL that a server wants opened.
 * `punycode` the host has letters that look like others · `credentials` a user name or password that may pass for a host ·
 * `ip_address` no name · `port` an unusual one · `insecure` not encrypted, on this machine · `long` more than people read.
 * @stable
 */
export type UrlWarning = "punycode" | "credentials" | "ip_address" | "port" | "insecure" | "long";

/**
 * A page that a server wants the user to visit.
 * @see MCP 2026-07-28, client/elicitation, URL mode and safe URL handling
 * @stable
 */
export interface PageQuestion {
  readonly message: string;
  /** The whole URL. Show all of it, and open it outside of this program, without a shell. */
  readonly url: string;
  /** The host in it, as it is resolved: what to show most clearly. */
  readonly host: string;
  readonly warnings: readonly UrlWarning[];
  /** What the server calls it; only 2025-11-25 has it. */
  readonly elicitationId?: string | undefined;
}

const longest = 300;

/**
 * What to show of a URL before it is opened; `undefined` for one that is not to be opened at all: anything but `https:`, and
 * `http:` on this machine. It is not fetched.
 * @see MCP 2026-07-28, client/elicitation, safe URL handling
 * @stable
 */
export function inspectUrl(text: string): Pick<PageQuestion, "url" | "host" | "warnings"> | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { protocol, hostname, port, username, password } = url;
  const isLocal = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isLocal)) return undefined;
  const warnings: readonly (readonly [UrlWarning, boolean])[] = [
    ["punycode", hostname.split(".").some((label) => label.startsWith("xn--"))],
    ["credentials", username !== "" || password !== ""],
    ["ip_address", !isLocal && (hostname.startsWith("[") || /^[\d.]+$/.test(hostname))],
    ["port", !isLocal && port !== ""],
    ["insecure", protocol === "http:"],
    ["long", text.length > longest],
  ];
  // as it is understood: a text may hide what it leads to
  return { url: url.href, host: url.host, warnings: warnings.filter(([, is]) => is).map(([warning]) => warning) };
}
