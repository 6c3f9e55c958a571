import { expect, test } from "vitest";
import { answer } from "./answer.js";
import { LocalError } from "./error.js";
import { unanswered } from "./handler.js";
import { openWire } from "./wire.fixture.js";

test("JR-28: a handler can leave a request without any answer; it is reported, and its id is free again", async () => {
  const wire = await openWire({ request: () => unanswered });
  wire.receive({ jsonrpc: "2.0", id: 1, method: "roots/list" });
  wire.receive({ jsonrpc: "2.0", id: 1, method: "roots/list" });
  await wire.peer.notify("after", {});
  expect(wire.sent).toEqual([{ jsonrpc: "2.0", method: "after", params: {} }]);
  const report = { kind: "unanswered_request", id: 1, method: "roots/list" };
  expect(wire.reports).toEqual([report, report]);
  expect(await answer({ request: async () => unanswered }, '{"jsonrpc":"2.0","id":1,"method":"x"}')).toBeUndefined();
});

test("what a transport knows about its end is told to those who wait", async () => {
  const wire = await openWire();
  const asking = wire.peer.request("x", {}).catch((error: unknown) => error);
  wire.sink.closed(new LocalError("CLOSED", "exit code 3", { details: { exitCode: 3 } }));
  expect(await asking).toMatchObject({ code: "CLOSED", details: { exitCode: 3 } });
});
