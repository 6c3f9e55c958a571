import { type Ask, type JsonObject, LocalError, type Peer, type Report } from "@parlance/jsonrpc";
import { handshakeClient, type Session } from "@parlance/protocol-versions";
import { afterEach, expect, test, vi } from "vitest";
import { createRenewal, type Renewal } from "./renewal.js";

const never = new AbortController().signal;
const initialized: JsonObject = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} };
const reports: Report[] = [];
const unanswered: string[] = [];

afterEach(() => {
  reports.length = 0;
  unanswered.length = 0;
  vi.restoreAllMocks();
});

/** A session that the server forgets at the first ping; from then on `silent` is not answered. */
async function forgotten(silent: string): Promise<Session> {
  let lost = false;
  let renewal: Renewal | undefined;
  const send: Ask = (method, _params, options) => {
    options?.signal?.throwIfAborted();
    if (lost && method === silent) {
      unanswered.push(method);
      return new Promise((_resolve, reject) => {
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
      });
    }
    if (method !== "ping" || lost) return Promise.resolve(method === "initialize" ? initialized : {});
    lost = true;
    return Promise.reject(new LocalError("SESSION_LOST", "the server forgot the session"));
  };
  const peer: Peer = {
    carrier: "http",
    closed: never,
    close: async () => {},
    notify: async () => {},
    request: (method, ...rest) => (method === "initialize" ? send : (renewal?.request ?? send))(method, ...rest),
    agreed: (_, again) => {
      renewal ??= again && createRenewal({ send, again, report: (what) => reports.push(what) });
    },
  };
  const self = { info: { name: "test", version: "1" }, capabilities: {}, answer: async () => ({}) };
  const opened = await handshakeClient().open(peer, self, { silence: never, attach: () => {} });
  if (opened.type !== "session") throw new Error("no session");
  await opened.session.call("logging/setLevel", { level: "error" });
  return opened.session;
}

test.each(["initialize", "logging/setLevel"])(
  "LC-20, HTTP-L-47: a call does not wait for a session whose %s is not answered once its caller gave up",
  async (silent) => {
    const session = await forgotten(silent);
    const caller = new AbortController();
    const called = session.ping({ signal: caller.signal });
    await vi.waitUntil(() => unanswered.length > 0);
    const behind = session.ping({ signal: caller.signal });
    caller.abort(new Error("enough"));
    await expect(called).rejects.toThrow("enough");
    await expect(behind).rejects.toThrow("enough");
    await expect(session.ping({ signal: AbortSignal.abort(new Error("at once")) })).rejects.toThrow("at once");
  },
);

test("HTTP-L-48: what is not answered in time when it is asked for again is given up, and the session is used", async () => {
  const timeout = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(timeout.signal);
  const session = await forgotten("logging/setLevel");
  const called = session.ping();
  await vi.waitUntil(() => reports.length === 1);
  timeout.abort(new Error("too long"));
  await called;
  expect(reports).toMatchObject([{ kind: "session_replaced" }, { kind: "not_restored", method: "logging/setLevel" }]);
});
