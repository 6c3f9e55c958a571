import { LocalError, over, type Transport } from "@parlance/jsonrpc";
import { expect, test, vi } from "vitest";
import { connectClient } from "./connect.js";
import { handshake } from "./index.js";

const info = { name: "test", version: "1" };

test.each([{ timeoutMs: "1s" }, { timeoutMs: -1 }, { connectTimeoutMs: Number.NaN }])(
  "nothing is dialed with %o, and the error says what would be right",
  async (wrong) => {
    const dial = vi.fn();
    const connecting = connectClient({ dial, info, ...wrong } as never);
    const message = expect.stringMatching(/^timeoutMs is .*, and should be 0 or more milliseconds$/);
    await expect(connecting).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message });
    expect(dial).not.toHaveBeenCalled();
  },
);

test.each([
  [{ dial: "http://127.0.0.1/mcp" }, "dial is http://127.0.0.1/mcp, and should be a function such as http(url)"],
  [{ cache: true }, "cache is true, and should be what a function such as answers() or responseCache() gives"],
])("%j is refused, and the error says what would be right", async (wrong, message) => {
  const connecting = connectClient({ dial: vi.fn(), info, ...wrong } as never);
  await expect(connecting).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining(message),
  });
});

test("a transport that is given for a dial is closed, and the error says how to make a dial of it", async () => {
  const close = vi.fn(async () => {});
  const transport = () => ({ send: () => {}, close });
  await expect(connectClient({ dial: transport as never, info })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: "dial made no connection; a transport needs over(transport)",
  });
  expect(close).toHaveBeenCalled();
});

test.each([[["2025-01-01"]], [[]], [["2026-07-28"]]])("handshake does not take the versions %j", (versions) => {
  expect(() => handshake({ versions: versions as never })).toThrow(LocalError);
});

test("the client hears what a server prints among its messages, unless the dial has a listener of its own", async () => {
  const [report, own] = [vi.fn(), vi.fn()];
  const junk: Transport = (sink) => {
    queueMicrotask(() => {
      void sink.frame("listening on port 80");
      sink.closed();
    });
    return { send: () => {}, close: async () => {} };
  };
  await connectClient({ dial: over(junk), info, report }).catch(() => {});
  expect(report).toHaveBeenCalledWith(expect.objectContaining({ kind: "malformed", text: "listening on port 80" }));
  report.mockClear();
  await connectClient({ dial: over(junk, { report: own }), info, report }).catch(() => {});
  expect([own.mock.calls.length > 0, report.mock.calls.length]).toEqual([true, 0]);
});
