import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { PassThrough, Writable } from "node:stream";
import { connect, type Handler, over } from "@parlance/jsonrpc";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createInbox } from "../fixtures/inbox.js";
import { streams } from "./streams.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** The two ends of a TCP connection. */
async function sockets(): Promise<readonly [Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const near = dial({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
  const [far] = (await once(server, "connection")) as [Socket];
  cleanups.push(() => {
    near.destroy();
    far.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return [near, far];
}

/** A writable that keeps what it gets until it is let go. */
function slowWritable(highWaterMark: number): { stream: Writable; writes: string[]; letGo(): void } {
  const writes: string[] = [];
  let taken: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark,
    decodeStrings: false,
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      taken = done;
    },
  });
  return {
    stream,
    writes,
    letGo: () => {
      const done = taken;
      taken = undefined;
      done?.();
    },
  };
}

const patiently = { timeout: 20_000, interval: 1 };

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const echo: Handler = { request: ({ params }) => params ?? {} };

describe("messages", () => {
  test("STD-25, STD-26: a socket carries the same protocol in the same lines", async () => {
    const [near, far] = await sockets();
    const server = await connect(streams({ readable: far, writable: far }), echo);
    const client = await over(streams({ readable: near, writable: near }))(echo);
    const text = "two\nlines, \u2028 and 漢字🎉";
    expect(await client.request("echo", { text })).toEqual({ text });
    expect(await server.request("echo", { text })).toEqual({ text });
    await Promise.all([client.close(), server.close()]);
    expect([near.destroyed, far.destroyed]).toEqual([true, true]);
  });

  test("STD-01, BUG-08, BUG-13: one line a message, in UTF-8, without a mark or a header", async () => {
    const writable = new PassThrough();
    const readable = new PassThrough();
    const peer = await connect(streams({ readable, writable, drainMs: 0 }), echo);
    await peer.notify("note", { text: "a\nb\r\n漢字" });
    await nextTurn();
    const bytes: Buffer = writable.read();
    expect(bytes.toString("utf8")).toBe('{"jsonrpc":"2.0","method":"note","params":{"text":"a\\nb\\r\\n漢字"}}\n');
    await peer.close();
  });

  test("frames sent in one turn leave in one write, in order", async () => {
    const { stream, writes } = slowWritable(1 << 20);
    const channel = await streams({ readable: new PassThrough(), writable: stream, drainMs: 0 })(createInbox());
    void channel.send("1");
    await Promise.resolve();
    void channel.send("2");
    queueMicrotask(() => void channel.send("3"));
    await nextTurn();
    expect(writes).toEqual(["1\n2\n3\n"]);
    await channel.close();
  });

  test("a lot sent in one turn does not wait for its end", async () => {
    const { stream, writes } = slowWritable(1 << 20);
    const channel = await streams({ readable: new PassThrough(), writable: stream, drainMs: 0 })(createInbox());
    void channel.send("x".repeat(100_000));
    expect(writes.map((text) => text.length)).toEqual([100_001]);
    await channel.close();
  });

  test("STD-04, STD-05: a frame that is too long is reported, and the connection lives on", async () => {
    const readable = new PassThrough();
    const inbox = createInbox();
    const channel = await streams({ readable, writable: new PassThrough(), maxFrameBytes: 8, drainMs: 0 })(inbox);
    readable.write("a line that has no end");
    readable.write(", or nearly\nshort\n");
    await inbox.received(1);
    expect(inbox.losses.map(({ code }) => code)).toEqual(["FRAME_TOO_LONG"]);
    expect(inbox.frames).toEqual(["short"]);
    await channel.close();
  });

  test("a readable that already decodes to strings is understood", async () => {
    const readable = new PassThrough().setEncoding("utf8");
    const inbox = createInbox();
    const channel = await streams({ readable, writable: new PassThrough(), drainMs: 0 })(inbox);
    readable.write("漢字\n");
    expect(await inbox.received(1)).toEqual(["漢字"]);
    await channel.close();
  });
});

describe("back-pressure", () => {
  test("send gives a promise once the stream is full, and it resolves at the drain", async () => {
    const { stream, letGo } = slowWritable(4);
    const channel = await streams({ readable: new PassThrough(), writable: stream, drainMs: 0 })(createInbox());
    expect(channel.send("first")).toBeUndefined();
    await nextTurn();
    let drained = false;
    const wait = Promise.resolve(channel.send("second")).then(() => {
      drained = true;
    });
    await nextTurn();
    letGo();
    await nextTurn();
    expect(drained).toBe(false);
    letGo();
    await wait;
    expect(channel.send("third")).toBeUndefined();
    await channel.close();
  });

  test("a promise of the sink stops reading until it settles, in the middle of a chunk too", async () => {
    const readable = new PassThrough();
    let release = (): void => undefined;
    const inbox = createInbox((text) =>
      text === "2" ? new Promise<void>((resolve) => (release = resolve)) : undefined,
    );
    const channel = await streams({ readable, writable: new PassThrough(), drainMs: 0 })(inbox);
    readable.write("1\n2\n3\n4\n");
    await inbox.received(2);
    await nextTurn();
    expect([inbox.frames, readable.isPaused()]).toEqual([["1", "2"], true]);
    readable.write("5\n");
    release();
    expect(await inbox.received(5)).toEqual(["1", "2", "3", "4", "5"]);
    await channel.close();
  });

  test("a flood leaves turns to others, and all of it is taken in order", async () => {
    const readable = new PassThrough();
    const frames = Array.from({ length: 3_500 }, (_, index) => `${index}`);
    const inbox = createInbox();
    const channel = await streams({ readable, writable: new PassThrough() })(inbox);
    readable.end(frames.join("\n"));
    await inbox.received(1);
    await nextTurn();
    expect(inbox.frames.length).toBeLessThan(frames.length);
    await inbox.closing;
    expect(inbox.frames).toEqual(frames);
    await channel.close();
  });

  test("a promise of the sink that rejects goes on reading, and the end waits for it", async () => {
    const readable = new PassThrough();
    let refuse = (_: Error): void => undefined;
    const inbox = createInbox((text) =>
      text === "1" ? new Promise<void>((_, reject) => (refuse = reject)) : undefined,
    );
    const channel = await streams({ readable, writable: new PassThrough(), drainMs: 0 })(inbox);
    readable.end("1\n2");
    await once(readable, "end");
    expect([inbox.frames, inbox.ends]).toEqual([["1"], []]);
    refuse(new Error("not taken"));
    await inbox.closing;
    expect([inbox.frames, inbox.ends]).toEqual([["1", "2"], [undefined]]);
    await channel.close();
  });

  test("a reader that stops reading holds the server back, and costs a bounded memory", async () => {
    const [near, far] = await sockets();
    near.pause();
    const text = "x".repeat(100_000);
    let answered = 0;
    const server = await connect(streams({ readable: far, writable: far, drainMs: 0 }), {
      request: () => {
        answered += 1;
        return { text };
      },
    });
    const requests = Array.from({ length: 400 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"flood"}\n`);
    near.write(requests.join(""));
    await vi.waitUntil(() => far.isPaused() && far.writableNeedDrain, patiently);
    expect(answered).toBeLessThan(200);
    expect(far.writableLength).toBeLessThan(20_000_000);
    near.resume();
    await vi.waitUntil(() => answered === requests.length, patiently);
    near.destroy();
    await server.close();
  }, 30_000);
});

describe("the end", () => {
  test("STD-25: the other side may end its half and still gets its answers", async () => {
    const [near, far] = await sockets();
    let finish = (): void => undefined;
    await connect(streams({ readable: far, writable: far }), {
      request: () => new Promise((resolve) => (finish = () => resolve({ done: true }))),
    });
    near.end('{"jsonrpc":"2.0","id":1,"method":"slow"}\n');
    await once(far, "end");
    finish();
    const chunks: Buffer[] = [];
    for await (const chunk of near) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('{"jsonrpc":"2.0","id":1,"result":{"done":true}}\n');
  });

  test("what was sent before close still arrives, with bytes to read on both sides", async () => {
    const [near, far] = await sockets();
    const inbox = createInbox();
    const channel = await streams({ readable: near, writable: near })(createInbox());
    await streams({ readable: far, writable: far })(inbox);
    far.write("never read\n");
    const text = "x".repeat(3_000_000);
    void channel.send(text);
    // small, so it leaves at the end of the turn
    void channel.send("the last");
    const closing = channel.close();
    const [first, last] = await inbox.received(2);
    expect(first).toHaveLength(text.length);
    expect(last).toBe("the last");
    await inbox.closing;
    far.end();
    await closing;
    expect(inbox.ends).toEqual([undefined]);
  });

  test("BUG-29: close is idempotent, and may be called from inside closed", async () => {
    const [near] = await sockets();
    const inbox = createInbox();
    const channel = await streams({ readable: near, writable: near, drainMs: 0 })({
      ...inbox,
      closed: (cause) => {
        inbox.closed(cause);
        void channel.close();
      },
    });
    await Promise.all([channel.close(), channel.close()]);
    await channel.close();
    expect(inbox.ends).toEqual([undefined]);
  });

  test("BUG-25: a stream that breaks closes with the reason, and later frames are refused with CLOSED", async () => {
    const writable = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
    });
    const readable = new PassThrough();
    const inbox = createInbox();
    const channel = await streams({ readable, writable })(inbox);
    void channel.send("lost");
    expect(await inbox.closing).toMatchObject({ code: "EPIPE" });
    await channel.close();
    await expect(channel.send("later")).rejects.toMatchObject({ code: "CLOSED", cause: { code: "EPIPE" } });
    expect([inbox.ends.length, readable.destroyed, writable.destroyed]).toEqual([1, true, true]);
  });

  test("a pipe that is cut half-way through a frame closes with a reason and never delivers the piece", async () => {
    const readable = new PassThrough();
    const inbox = createInbox();
    await streams({ readable, writable: new PassThrough() })(inbox);
    readable.write('whole\n{"cut');
    await inbox.received(1);
    readable.destroy();
    expect(await inbox.closing).toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
    expect(inbox.frames).toEqual(["whole"]);
  });

  test("a stream that is over before it is opened closes at once", async () => {
    const readable = new PassThrough();
    readable.destroy();
    const inbox = createInbox();
    await streams({ readable, writable: new PassThrough() })(inbox);
    await inbox.closing;
    expect(inbox.ends).toHaveLength(1);
  });

  test("a peer that takes nothing more is left after drainMs", async () => {
    const { stream } = slowWritable(4);
    const channel = await streams({ readable: new PassThrough(), writable: stream, drainMs: 1 })(createInbox());
    void channel.send("never taken");
    await channel.close();
    expect(stream.destroyed).toBe(true);
  });
});
