import { excerpt } from "@parlance/jsonrpc/codec";
import type { HttpRequest } from "./http.js";

/** The names under which a server on this machine is called. */
export const loopbackHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

const authority = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;

/** Whether a host, with or without its port, is one that means this machine. */
export function isLoopback(host: string): boolean {
  const name = authority.exec(host.toLowerCase())?.[1];
  return name !== undefined && (loopbackHosts.includes(name) || /^127(?:\.\d{1,3}){3}$/.test(name));
}

/** Whether `host` is listed: an entry without a port stands for all its ports. */
function isListed(host: string, hosts: readonly string[]): boolean {
  const [whole, name] = authority.exec(host.toLowerCase()) ?? [];
  return whole !== undefined && name !== undefined && hosts.some((entry) => entry === whole || entry === name);
}

function hostOf(request: HttpRequest): string | undefined {
  const header = request.headers.get("host");
  if (header !== null) return header.trim();
  return /^https?:\/\/([^/?#]*)/i.exec(request.url)?.[1];
}

/** Says why a request is refused for the name it was called by or the page it comes from, or nothing. */
export type Doorkeeper = (request: HttpRequest) => string | undefined;

/** An origin passes when it is listed, or when its host is one the server is called by. */
export function createDoorkeeper(hosts: readonly string[], origins: readonly string[]): Doorkeeper {
  /** The last name that was found to be listed: the next request has the same. */
  let known: string | undefined;
  return (request) => {
    const host = hostOf(request);
    if (host === undefined) return "The request names no Host";
    if (host !== known) {
      if (!isListed(host, hosts)) return `Host ${excerpt(host)} is not served here`;
      known = host;
    }
    const origin = request.headers.get("origin");
    if (origin === null || origins.includes(origin)) return undefined;
    const at = /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
    if (at !== undefined && isListed(at, hosts)) return undefined;
    return `Origin ${excerpt(origin)} is not allowed`;
  };
}
