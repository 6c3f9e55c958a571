import { type Dial, type JsonObject, LocalError, type Peer } from "@parlance/jsonrpc";
import { alone } from "@parlance/jsonrpc/respond";
import { clientWays } from "../client-eras.js";
import { createCalls } from "./calls.js";
import { createEndpoint } from "./endpoint.js";
import { type HttpClientOptions, httpClientDefaults } from "./options.js";
import type { HttpClientReport } from "./report.js";
import type { Speech, Surroundings } from "./speech.js";
import type { HttpSender } from "./wire.js";

/** A `Dial` for one URL on top of whatever sends requests. Dialing sends nothing. */
export function dialWith(url: string | URL, options: HttpClientOptions, createSender: () => HttpSender): Dial {
  const target = readUrl(url);
  const { headers, auth } = options;

  return async (handler, hears) => {
    const report = options.report ?? hears;
    const ending = new AbortController();
    const calls = createCalls();
    const endpoint = createEndpoint({ url: target.href, sender: createSender(), headers, auth });
    const gaps = new Set<() => void>();
    let closing: Promise<void> | undefined;

    function end(reason: LocalError): Promise<void> {
      closing ??= shut(reason);
      return closing;
    }

    async function shut(reason: LocalError): Promise<void> {
      ending.abort(reason);
      calls.end(reason);
      await Promise.all(speeches.map((speech) => speech.close?.()));
      endpoint.close();
    }

    function tell(what: HttpClientReport): void {
      // a listener that throws must not end the connection, and there is nobody else to tell
      alone(() => report?.(what));
    }

    const surroundings: Surroundings = {
      endpoint,
      handler,
      calls,
      closed: ending.signal,
      maxMessageBytes: options.maxMessageBytes ?? httpClientDefaults.maxMessageBytes,
      standaloneStream: options.standaloneStream ?? true,
      report: tell,
      missed: () => {
        for (const hear of [...gaps]) hear();
      },
      lose: (reason) => void end(lostConnection(reason)),
    };
    const fallback = options.fallback?.prepare(surroundings);
    const ways = clientWays.map((way) => way(surroundings, fallback));
    const speeches = fallback === undefined ? ways : [fallback, ...ways];

    /** What no era claims, the newest gets. */
    function speechFor(method: string, params: JsonObject): Speech {
      const speech = speeches.find((each) => each.claims(method, params)) ?? ways[0];
      if (speech === undefined) throw new LocalError("UNSUPPORTED", "there is no way of speaking HTTP");
      return speech;
    }

    const peer: Peer = {
      carrier: "http",
      // a query may hold a secret, and says little about which server it is
      authority: target.origin + target.pathname,
      partition: auth?.partition,
      request: (method, params, how) => speechFor(method, params).ask(method, params, how),
      notify: async (method, params) => {
        ending.signal.throwIfAborted();
        await speechFor(method, params).notify(method, params);
      },
      cancel: calls.cancel,
      agreed: (to, again) => {
        for (const speech of speeches) speech.agreed?.(to, again);
      },
      missed: (listener) => {
        gaps.add(listener);
        return () => void gaps.delete(listener);
      },
      close: () => end(new LocalError("CLOSED", "the connection was closed on this side")),
      closed: ending.signal,
    };
    return peer;
  };
}

/** @throws LocalError `INVALID_ARGUMENT` */
function readUrl(url: string | URL): URL {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username + parsed.password !== "") {
    const shown = parsed === undefined ? JSON.stringify(url) : `one of ${parsed.protocol}//${parsed.host}`;
    throw new LocalError(
      "INVALID_ARGUMENT",
      `the URL of a server must be absolute, begin with http: or https:, and leave credentials to \`auth\`, not be ${shown}`,
    );
  }
  parsed.hash = "";
  return parsed;
}

function lostConnection(cause: unknown): LocalError {
  if (cause instanceof LocalError) return cause;
  return new LocalError("CLOSED", "the connection was lost", { cause });
}
