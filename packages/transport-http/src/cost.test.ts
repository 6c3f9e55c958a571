import { expect, test, vi } from "vitest";
import { openSession } from "./handshake/session.fixture.js";
import { modern } from "./stateless/modern.fixture.js";
import { echo, serveFeatures } from "./wire.fixture.js";

test("a call is parsed once and serialized once, however large", async () => {
  const { handler } = serveFeatures(echo);
  const session = await openSession(handler);
  const params = { name: "x", arguments: { text: "x".repeat(100 * 1024) } };
  const parse = vi.spyOn(JSON, "parse");
  const stringify = vi.spyOn(JSON, "stringify");
  for (const call of [() => modern(handler, "tools/call", params), () => session.call("tools/call", params)]) {
    await call(); // what is made once for a server
    const sending = call();
    stringify.mockClear();
    parse.mockClear();
    const response = await sending;
    const counted = [parse.mock.calls.length, stringify.mock.calls.length];
    expect([response.status, ...counted]).toEqual([200, 1, 1]);
  }
  parse.mockRestore();
  stringify.mockRestore();
});
