import { lines, type SpecLine } from "../line.js";

/** Group SEC: what keeps strangers out, as far as no authorization server is needed. */
export const security: readonly SpecLine[] = [
  ...lines("tutorials/security/security_best_practices", [
    ["SEC-02", "L", "sessions are no authentication, and random"],
    ["SEC-04", "All", "every request is verified"],
    ["SEC-12", "25-11+", "a local server over HTTP keeps to this machine or asks for a token"],
    ["SEC-17", "All", "names that were rebound do not reach it"],
    ["SEC-03", "M", "who holds a handle is not thereby known"],
    ["SEC-18", "All", "everything has a limit"],
    ["SEC-19", "All", "secrets are not told to logs"],
    ["SEC-20", "All", "what servers say steers no terminal"],
    ["SEC-21", "All", "tokens are compared in constant time"],
  ]),
];
