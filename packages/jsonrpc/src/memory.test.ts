import { describe, expect, test } from "vitest";
import { connect, over } from "./connect.js";
import { memoryPair } from "./memory.js";
import type { Channel, Transport } from "./transport.js";
import { deferred, settled } from "./wire.fixture.js";

async function open(transport: Transport, frame: (text: string) => void | Promise<void> = () => {}): Promise<Opened> {
  const closes: unknown[] = [];
  const channel = await transport({ frame, lost: () => {}, closed: (cause) => void closes.push(cause) });
  return { channel, closes };
}

interface Opened {
  readonly channel: Channel;
  readonly closes: unknown[];
}

describe("a memory pair", () => {
  test("joins two peers that ask each other", async () => {
    const [near, far] = memoryPair();
    await connect(far, {
      request: async ({ params }, { request }) => ({ told: params, heard: await request?.("who", {}) }),
    });
    const client = await over(near)({ request: () => ({ name: "near" }) });
    await expect(client.request("tell", { a: 1 })).resolves.toEqual({ told: { a: 1 }, heard: { name: "near" } });
    await client.close();
    await expect(client.request("tell", {})).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("delivers in order and never before `send` returned, also what was sent before the other end was open", async () => {
    const [near, far] = memoryPair();
    const read: string[] = [];
    const { channel } = await open(near);
    const early = channel.send("1");
    expect(early).toBeInstanceOf(Promise);
    await open(far, (text) => void read.push(text));
    await early;
    for (const text of ["2", "3"]) expect(channel.send(text)).toBeUndefined();
    expect(read).toEqual(["1"]);
    await settled();
    expect(read).toEqual(["1", "2", "3"]);
  });

  test("a reader that holds back makes the sender wait", async () => {
    const [near, far] = memoryPair();
    const go = deferred<void>();
    const read: string[] = [];
    await open(far, (text) => {
      read.push(text);
      return go.promise;
    });
    const { channel } = await open(near);
    expect(channel.send("1")).toBeUndefined();
    await settled();
    const second = channel.send("2");
    await settled();
    expect(read).toEqual(["1"]);
    go.resolve();
    await second;
    expect(read).toEqual(["1", "2"]);
  });

  test("closing one end delivers what was sent, then closes the other, each once", async () => {
    const [near, far] = memoryPair();
    const read: string[] = [];
    const there = await open(far, (text) => void read.push(text));
    const here = await open(near);
    void here.channel.send("last");
    await here.channel.close();
    await here.channel.close();
    await settled();
    await there.channel.close();
    expect(read).toEqual(["last"]);
    expect([here.closes, there.closes]).toEqual([[undefined], [undefined]]);
    await expect(there.channel.send("nobody reads")).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("a sender that waits is let go when the reader closes", async () => {
    const [near, far] = memoryPair();
    const there = await open(far, () => new Promise(() => {}));
    const { channel } = await open(near);
    void channel.send("1");
    await settled();
    const waiting = channel.send("2");
    await there.channel.close();
    await expect(waiting).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("each end opens once", async () => {
    const [near] = memoryPair();
    await open(near);
    await expect(open(near)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
