import { connectInMemory, type RecordedFrame } from "@parlance/testing";
import { expect, test } from "vitest";
import { clockServer } from "./clock.js";

const noon = new Date("2026-07-28T12:00:00Z");

// One server, both ways of speaking MCP: no port, no process, and the real protocol in between
for (const era of ["stateless", "handshake"] as const) {
  test(`tells the time (${era})`, async () => {
    const client = await connectInMemory(
      clockServer(() => noon),
      { era },
    );
    const { content } = await client.callTool("time");
    expect(content).toEqual([{ type: "text", text: "2026-07-28T12:00:00.000Z" }]);
    await client.close();
  });
}

test("the wire can be looked at", async () => {
  const frames: RecordedFrame[] = [];
  const client = await connectInMemory(
    clockServer(() => noon),
    { era: "handshake", version: "2025-06-18", frames },
  );
  await client.close();
  expect(frames[0]?.message).toMatchObject({ method: "initialize", params: { protocolVersion: "2025-06-18" } });
});
