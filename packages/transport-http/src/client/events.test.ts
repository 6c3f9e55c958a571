import { expect, test } from "vitest";
import { readEvents, type StreamPosition } from "./events.js";
import type { IncomingReply } from "./wire.js";

function reply(chunks: readonly Uint8Array[]): IncomingReply {
  return {
    status: 200,
    header: () => undefined,
    read: async (take) => {
      for (const chunk of chunks) take(chunk);
    },
  };
}

interface Found {
  readonly data: string[];
  readonly position: StreamPosition;
  readonly other: string[];
}

async function read(chunks: readonly (string | Uint8Array)[], maxLength = 1_000): Promise<Found> {
  const found: Found = { data: [], position: { lastId: undefined, retryMs: undefined }, other: [] };
  const encoder = new TextEncoder();
  const bytes = chunks.map((chunk) => (typeof chunk === "string" ? encoder.encode(chunk) : chunk));
  await readEvents(
    reply(bytes),
    found.position,
    maxLength,
    (data, isWhole) => found.data.push(isWhole ? data : `${data} (cut)`),
    (name, data) => found.other.push(`${name}=${data}`),
  );
  return found;
}

const grammar: Readonly<Record<string, readonly [text: string, data: readonly string[]]>> = {
  "line feeds": ["data: a\n\ndata: b\n\n", ["a", "b"]],
  "carriage returns": ["data: a\r\rdata: b\r\r", ["a", "b"]],
  both: ["data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
  "a mixture": ["data: a\r\n\rdata: b\n\r\n", ["a", "b"]],
  "several lines of data": ["data: a\ndata:\ndata: b\n\n", ["a\n\nb"]],
  "no space after the colon": ["data:a\n\n", ["a"]],
  "one space of two": ["data:  a\n\n", [" a"]],
  "a field without a colon": ["data\ndata: a\n\n", ["\na"]],
  "unknown fields": ["foo: bar\ndata: a\nbar\n\n", ["a"]],
  comments: [": keep-alive\n\n:\n\ndata: a\n: inside\n\n", ["a"]],
  "a byte order mark": ["\uFEFFdata: a\n\n", ["a"]],
  "characters of several bytes": ["data: añ€😀\u2028b\n\n", ["añ€😀\u2028b"]],
  "an event named message": ["event: message\ndata: a\n\n", ["a"]],
  "an id of nothing but blanks": ["id:  \ndata: a\n\n", ["a"]],
};

for (const [what, [text, data]] of Object.entries(grammar)) {
  test(`HTTP-M-23: reads ${what}, however the bytes are cut`, async () => {
    expect((await read([text])).data).toEqual(data);
    const bytes = new TextEncoder().encode(text);
    expect((await read([...bytes].map((byte) => Uint8Array.of(byte)))).data).toEqual(data);
    for (let at = 1; at < bytes.length; at++) {
      expect((await read([bytes.slice(0, at), bytes.slice(at)])).data).toEqual(data);
    }
  });
}

test("HTTP-M-23: a lone carriage return ends an event at once, without waiting for what follows", async () => {
  const seen: string[] = [];
  await readEvents(
    {
      ...reply([]),
      read: async (take) => {
        take(new TextEncoder().encode("data: a\r\r"));
        expect(seen).toEqual(["a"]);
      },
    },
    { lastId: undefined, retryMs: undefined },
    1_000,
    (data) => seen.push(data),
  );
});

test("HTTP-M-24: events of another type and events with empty data are no messages", async () => {
  const { data, other } = await read(["event: ping\ndata: x\n\ndata:\n\ndata\n\ndata: a\n\n"]);
  expect(data).toEqual(["a"]);
  expect(other).toEqual(["ping=x"]);
});

test("HTTP-L-11, BUG-40: an event with empty data is not parsed, but its id and retry count", async () => {
  const { data, position } = await read(["id: 7\nretry: 1500\ndata:\n\n"]);
  expect(data).toEqual([]);
  expect(position).toEqual({ lastId: "7", retryMs: 1500 });
});

test("an event without an id leaves the last one, and an empty id takes it away", async () => {
  expect((await read(["id: 1\ndata: a\n\ndata: b\n\n"])).position.lastId).toBe("1");
  expect((await read(["id: 1\ndata: a\n\nid:\ndata: b\n\n"])).position.lastId).toBeUndefined();
});

test("HTTP-L-35: an id that no header carries cannot be gone on from", async () => {
  for (const id of ["één", "日本", "a\u0001b", "a\u007f"]) {
    expect((await read([`id: 1\ndata: a\n\nid: ${id}\ndata: b\n\n`])).position.lastId).toBeUndefined();
  }
  expect((await read(["id: {a b~}\ndata: a\n\n"])).position.lastId).toBe("{a b~}");
});

test("HTTP-M-24, HTTP-L-11: an id counts where no data is, wherever in its event it stands, however the bytes are cut", async () => {
  const ends: Readonly<Record<string, string | undefined>> = {
    "id: 1\ndata: a\n\nid: 2\n\n": "2",
    "data: a\nid: 3\n\n": "3",
    "id: 1\nid:4\r\n\r\n": "4",
    "id: 1\n\nid\n\n": undefined,
    "id: 1\n\nid: 2\n": "1",
    "id: 1\n\nidea: 2\n\ndata: id: 3\n\n": "1",
    "id: 1\n\nid: 2\u00002\n\n": "1",
  };
  for (const [text, lastId] of Object.entries(ends)) {
    for (let at = 1; at < text.length; at++) {
      const { position } = await read([text.slice(0, at), text.slice(at)]);
      expect([text, position.lastId]).toEqual([text, lastId]);
    }
  }
});

test("BUG-44: an event at the end without its empty line is taken, but a stream is not resumed after it", async () => {
  const { data, position } = await read(["id: 1\ndata: a\n\nid: 2\ndata: b"]);
  expect(data).toEqual(["a", "b (cut)"]);
  expect(position.lastId).toBe("1");
});

test("a stream that breaks gives what it had before it rejects", async () => {
  const data: string[] = [];
  const broken: IncomingReply = {
    ...reply([]),
    read: async (take) => {
      take(new TextEncoder().encode("data: a\n\ndata: b"));
      throw new Error("cut");
    },
  };
  const reading = readEvents(broken, { lastId: undefined, retryMs: undefined }, 1_000, (text) => data.push(text));
  await expect(reading).rejects.toThrow("cut");
  expect(data).toEqual(["a", "b"]);
});

test.each([
  ["in one line", ["data: ", "x".repeat(600), "x".repeat(600)]],
  ["in one piece", [`data: ${"x".repeat(1_200)}\n\n`]],
  ["in many lines", Array.from({ length: 40 }, () => `data: ${"x".repeat(40)}\n`)],
])("an event that is too long %s is an error that names the limit", async (_, chunks) => {
  await expect(read(chunks)).rejects.toMatchObject({
    code: "FRAME_TOO_LONG",
    message: "an event has more than 1000 characters, the limit",
  });
});
