import { connect, type Handler, type Peer, type Transport } from "@parlance/jsonrpc";
import { assertSame, assertTrue } from "./assert.js";
import { type End, openEnd } from "./inbox.js";

/**
 * The two ends of one new connection, not opened yet.
 * @stable
 */
export interface TransportPair {
  readonly near: Transport;
  readonly far: Transport;
  /** Releases what the pair holds besides the connection; called after both ends are closed. */
  readonly release?: (() => void | Promise<void>) | undefined;
}

/**
 * What the suite needs of the test runner and of the transport.
 * @stable
 */
export interface TransportContract {
  /** The runner's way to declare a test: `test` of vitest and of `node:test` both fit. */
  readonly test: (title: string, run: () => Promise<void>) => unknown;
  /** Makes a new pair for each test. */
  readonly open: () => TransportPair | Promise<TransportPair>;
}

/**
 * Declares the tests that every transport passes: both ends are used as `connect` uses them.
 * @example transportContract({ test, open: () => { const [near, far] = memoryPair(); return { near, far }; } })
 * @see MCP 2026-07-28, basic/transports, custom transports
 * @stable
 */
export function transportContract(contract: TransportContract): void {
  for (const [title, check] of Object.entries(frameChecks)) {
    contract.test(title, () => withEnds(contract, check));
  }
  for (const [title, check] of Object.entries(peerChecks)) {
    contract.test(title, () => withPeers(contract, check));
  }
}

const awkward: readonly string[] = [
  '{"a":1}',
  "{}",
  String.raw`{"lines":"one\ntwo\r\n"}`,
  `{"separators":"\u2028\u2029"}`,
  '{"characters":"é 漢字 👩‍👩‍👧 "}',
  `{"long":"${"x".repeat(1 << 20)}"}`,
];

const frameChecks: Readonly<Record<string, (near: End, far: End) => Promise<void>>> = {
  "frames arrive whole, unchanged and in order, in both directions at once": async (near, far) => {
    for (const text of awkward) {
      send(near, text);
      send(far, text);
    }
    assertSame(await far.inbox.received(awkward.length), awkward, "frames at the far end");
    assertSame(await near.inbox.received(awkward.length), awkward, "frames at the near end");
  },

  "many frames sent in one turn all arrive in order": async (near, far) => {
    const texts = Array.from({ length: 1_000 }, (_, n) => `{"n":${n}}`);
    for (const text of texts) send(near, text);
    assertSame(await far.inbox.received(texts.length), texts, "frames at the far end");
  },

  "what send returns settles once the frame is drained": async (near, far) => {
    await near.channel.send(awkward[5] ?? "");
    await far.inbox.received(1);
  },

  "a sink that holds back reading loses nothing": async (near, far) => {
    const release = far.inbox.holdBack();
    const texts = Array.from({ length: 100 }, (_, n) => `{"n":${n}}`);
    for (const text of texts) send(near, text);
    await far.inbox.received(1);
    release();
    assertSame(await far.inbox.received(texts.length), texts, "frames at the far end");
  },

  "closing one end ends both, once and without a cause": async (near, far) => {
    await part(near, far);
    assertSame(near.inbox.ends.length, 1, "ends at the near end");
    assertSame(far.inbox.ends.length, 1, "ends at the far end");
    assertTrue(far.inbox.ends[0] === undefined, `a good close has no cause, got ${far.inbox.ends[0]}`);
  },

  "what was sent before closing still arrives": async (near, far) => {
    send(near, awkward[0] ?? "");
    await part(near, far);
    assertSame(await far.inbox.received(1), [awkward[0]], "frames at the far end");
  },

  "close is idempotent, at once and later": async (near, far) => {
    await Promise.all([near.channel.close(), part(near, far)]);
    await near.channel.close();
    assertSame(near.inbox.ends.length, 1, "ends at the near end");
  },

  "closing from inside closed neither recurses nor ends twice": async (near, far) => {
    near.inbox.whenClosed(() => void near.channel.close());
    far.inbox.whenClosed(() => void far.channel.close());
    await Promise.all([near.channel.close(), near.inbox.ended(), far.inbox.ended()]);
    assertSame([near.inbox.ends.length, far.inbox.ends.length], [1, 1], "ends at both ends");
  },

  "a frame sent after close is refused or ignored, and never delivered": async (near, far) => {
    await part(near, far);
    await Promise.resolve()
      .then(() => near.channel.send('{"late":true}'))
      .catch(() => undefined);
    assertSame(far.inbox.frames, [], "frames at the far end");
  },
};

const peerChecks: Readonly<Record<string, (near: Peer, far: Peer) => Promise<void>>> = {
  "requests in both directions get their own answers": async (near, far) => {
    const asked = Array.from({ length: 100 }, (_, n) => n);
    const [there, back] = await Promise.all([
      Promise.all(asked.map((n) => near.request("echo", { n }))),
      Promise.all(asked.map((n) => far.request("echo", { n: -n }))),
    ]);
    assertSame(
      there,
      asked.map((n) => ({ n })),
      "answers to the near end",
    );
    assertSame(
      back,
      asked.map((n) => ({ n: -n })),
      "answers to the far end",
    );
  },

  "a request waits for nobody else's answer": async (near) => {
    const cancel = new AbortController();
    const slow = near.request("wait", {}, { signal: cancel.signal }).catch((error: unknown) => error);
    assertSame(await near.request("echo", { n: 1 }), { n: 1 }, "the answer behind a slow one");
    cancel.abort(new Error("enough"));
    assertTrue((await slow) === cancel.signal.reason, "a cancelled request rejects with the reason of its signal");
  },

  "closing rejects what is pending with CLOSED": async (near, far) => {
    const pending = near.request("wait", {}).catch((error: unknown) => error);
    await near.request("echo", {});
    await far.close();
    const error = await pending;
    assertSame(error instanceof Error && Reflect.get(error, "code"), "CLOSED", "the code of the rejection");
  },
};

/** Answers `echo` with its params, and `wait` only when it is cancelled. */
const echo: Handler = {
  request: ({ method, params = {} }, { signal }) => {
    if (method !== "wait") return params;
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  },
};

async function withEnds(contract: TransportContract, check: (near: End, far: End) => Promise<void>): Promise<void> {
  const pair = await contract.open();
  try {
    const [near, far] = await Promise.all([openEnd(pair.near), openEnd(pair.far)]);
    try {
      await check(near, far);
    } finally {
      await Promise.all([near.channel.close(), far.channel.close()]);
    }
  } finally {
    await pair.release?.();
  }
}

async function withPeers(contract: TransportContract, check: (near: Peer, far: Peer) => Promise<void>): Promise<void> {
  const pair = await contract.open();
  try {
    const [near, far] = await Promise.all([connect(pair.near, echo), connect(pair.far, echo)]);
    try {
      await check(near, far);
    } finally {
      await Promise.all([near.close(), far.close()]);
    }
  } finally {
    await pair.release?.();
  }
}

/** The near end closes, and the far end once it hears of it: a close may wait for the other side's. */
async function part(near: End, far: End): Promise<void> {
  await Promise.all([near.channel.close(), far.inbox.ended().then(() => far.channel.close())]);
  await near.inbox.ended();
}

/** Whether it drained is another test's concern; a frame that cannot be sent shows as one that never arrives. */
function send(end: End, text: string): void {
  void Promise.resolve(end.channel.send(text)).catch(() => undefined);
}
