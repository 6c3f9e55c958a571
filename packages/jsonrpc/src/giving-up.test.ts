import { expect, test } from "vitest";
import type { RequestId } from "./message.js";
import { openWire } from "./wire.fixture.js";

test("a request is given up by its id: it rejects with the reason, the peer is told once", async () => {
  const wire = await openWire();
  const ids: RequestId[] = [];
  const asking = wire.peer.request("slow", {}, { started: (id) => void ids.push(id) }).catch((error: unknown) => error);
  const [id = "none"] = ids;
  const reason = new Error("enough");
  wire.peer.cancel?.(id, reason);
  wire.peer.cancel?.(id, reason);
  wire.peer.cancel?.("another", reason);
  expect(await asking).toBe(reason);
  expect(wire.sent.slice(1)).toEqual([
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } },
  ]);
});
