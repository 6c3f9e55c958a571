import { type Dial, over, type Report } from "@parlance/jsonrpc";
import { type HttpAuth, type HttpClientReport, sseTransport } from "@parlance/transport-http";
import { http } from "@parlance/transport-http/node";
import { type StdioReport, spawn } from "@parlance/transport-stdio";
import type { ServerEntry } from "./config/entry.js";
import { servingVariable } from "./serving.js";

/** What a way to a server needs besides its entry. */
export interface DialOptions {
  readonly auth?: HttpAuth | undefined;
  readonly heardProcess: (report: StdioReport) => void;
  readonly heardConnection: (report: Report | HttpClientReport) => void;
}

/** The way to a server. Nothing is started until it is dialed, and what is wrong with it is told then. */
export function dialOf(entry: ServerEntry, options: DialOptions): Dial {
  let dial: Dial | undefined;
  return (handler, report) => {
    dial ??= makeDial(entry, options);
    return dial(handler, report);
  };
}

function makeDial(entry: ServerEntry, { auth, heardProcess, heardConnection }: DialOptions): Dial {
  if ("dial" in entry) return entry.dial;
  if ("url" in entry) {
    const { url, headers, transport } = entry;
    const fallback = transport === "http+sse" ? sseTransport() : undefined;
    return http(url, { headers, auth, fallback, report: heardConnection });
  }
  const { command, args, cwd } = entry;
  // a program of ours that serves must see that it is served already
  const env = { [servingVariable]: process.env[servingVariable], ...entry.env };
  return over(spawn({ command, args, env, cwd, report: heardProcess }), { report: heardConnection });
}
