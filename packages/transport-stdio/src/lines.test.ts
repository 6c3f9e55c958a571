import { LocalError } from "@parlance/jsonrpc";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultMaxFrameBytes } from "./defaults.js";
import { createLines } from "./lines.js";

/** Frames as they are, lost ones as their code. */
function frames(chunks: readonly (string | Uint8Array)[], maxFrameBytes?: number): readonly string[] {
  const lines = createLines(maxFrameBytes);
  const found: string[] = [];
  const take = (): void => {
    for (let next = lines.next(); next !== undefined; next = lines.next()) {
      found.push(typeof next === "string" ? next : next.code);
    }
  };
  for (const chunk of chunks) {
    lines.feed(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    take();
  }
  lines.end();
  take();
  return found;
}

function bytewise(text: string | Uint8Array): readonly Uint8Array[] {
  return [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const byteOrderMark = "\uFEFF";

describe("what separates frames", () => {
  test("STD-02, BUG-01: CR LF ends a line like LF, also with the two in separate chunks", () => {
    expect(frames([`${ping}\r\n${ping}\r\n`])).toEqual([ping, ping]);
    expect(frames([`${ping}\r`, `\n${ping}`, "\r", "\n"])).toEqual([ping, ping]);
  });

  test("STD-02: only one trailing carriage return is dropped, and none from within", () => {
    expect(frames(["a\rb\r\r\n"])).toEqual(["a\rb\r"]);
  });

  test("STD-02: U+2028, U+2029, U+0085, form feed and vertical tab do not end a line", () => {
    const text = '{"text":"a\u2028b\u2029c\u0085d\fe\vf"}';
    expect(frames([`${text}\n`])).toEqual([text]);
  });

  test("STD-02, BUG-04: lines of only whitespace are skipped", () => {
    expect(frames([`\n  \r\n\t\n${ping}\n\n \n\r\n${ping}\n`])).toEqual([ping, ping]);
  });

  test("BUG-03: a byte order mark at the start of any line is ignored, also cut in two", () => {
    const marked = Buffer.from(`${byteOrderMark}${ping}\n`);
    expect(frames([marked, marked])).toEqual([ping, ping]);
    expect(frames([marked.subarray(0, 2), marked.subarray(2)])).toEqual([ping]);
    expect(frames(bytewise(marked))).toEqual([ping]);
    expect(frames([`${byteOrderMark}\r\n${byteOrderMark}\n`])).toEqual([]);
  });

  test("BUG-03: U+FEFF inside a string is kept", () => {
    const text = `{"text":"${byteOrderMark}"}`;
    expect(frames([`${text}\n`])).toEqual([text]);
  });

  test("BUG-11: several messages in one chunk all come at once", () => {
    const lines = createLines();
    lines.feed(Buffer.from(`${ping}\n${ping}\n{"half`));
    expect([lines.next(), lines.next(), lines.next()]).toEqual([ping, ping, undefined]);
  });

  test("BUG-11: a last line without newline counts at the end", () => {
    expect(frames([`${ping}\n{"id":9}`])).toEqual([ping, '{"id":9}']);
    expect(frames([`${ping}\n   `])).toEqual([ping]);
  });

  test("BUG-08, BUG-10: a line is handed over whole, whatever is on it", () => {
    expect(frames([`${ping} trailing\n${ping}${ping}\n`])).toEqual([`${ping} trailing`, `${ping}${ping}`]);
    expect(frames([`Content-Length: 40\r\n\r\n${ping}`, `\n${ping}\n`])).toEqual(["Content-Length: 40", ping, ping]);
  });
});

describe("text", () => {
  test("STD-03, BUG-13: a character cut between chunks survives, one byte at a time", () => {
    const text = '{"text":"é漢字👩‍👩‍👧"}';
    expect(frames(bytewise(`${text}\n${text}\n`))).toEqual([text, text]);
  });

  test("BUG-13: bytes that are no UTF-8 lose their frame only, and the error shows its beginning", () => {
    const latin1 = Buffer.from('{"text":"é"}\n', "latin1");
    expect(frames([`${ping}\n`, latin1, `${ping}\n`])).toEqual([ping, "BAD_FRAME", ping]);
    const lines = createLines();
    lines.feed(latin1);
    expect(lines.next()).toMatchObject({
      code: "BAD_FRAME",
      message: String.raw`a frame of 12 bytes is not UTF-8: it begins "{\"text\":\"é\"}"`,
      details: { sizeBytes: 12 },
    });
  });

  test("a character that a newline cuts off, a lone surrogate and an overlong form are no UTF-8", () => {
    for (const bytes of [[0xe6, 0xbc], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xff]]) {
      expect(frames([Uint8Array.from([...bytes, 10])])).toEqual(["BAD_FRAME"]);
    }
  });
});

describe("the limit", () => {
  test("STD-04: a line of exactly the limit passes, and one byte more is lost", () => {
    expect(frames(["12345\n123456\n1234\n"], 5)).toEqual(["12345", "FRAME_TOO_LONG", "1234"]);
    expect(frames(["12", "345\n123", "456\n1234\n"], 5)).toEqual(["12345", "FRAME_TOO_LONG", "1234"]);
  });

  test("STD-04: the loss names size and limit", () => {
    const lines = createLines(4);
    lines.feed(Buffer.from("123456\n"));
    const lost = lines.next();
    expect(lost).toBeInstanceOf(LocalError);
    expect(lost).toMatchObject({ code: "FRAME_TOO_LONG", details: { sizeBytes: 6, limitBytes: 4 } });
    expect(String(lost)).toMatch(/6 bytes.*allows 4/);
  });

  test("STD-04: an endless line is reported once, as soon as it passes the limit, and keeps no memory", () => {
    const lines = createLines(1_000);
    const chunk = Buffer.alloc(600, "x");
    const found: unknown[] = [];
    for (let n = 0; n < 100; n += 1) {
      lines.feed(chunk);
      found.push(lines.next());
    }
    expect(found.map((one) => one instanceof LocalError)).toEqual([false, true, ...Array(98).fill(false)]);
    lines.feed(Buffer.from(`the end of it\n${ping}\n`));
    expect([lines.next(), lines.next()]).toEqual([ping, undefined]);
  });

  test("BUG-06: lines of 200 KiB and of 5 MiB arrive whole", () => {
    const long = [200 * 1024, 5 * 1024 * 1024].map((length) => `{"text":"${"x".repeat(length)}"}`);
    const bytes = Buffer.from(`${long.join("\n")}\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, n) =>
      bytes.subarray(n * 8192, (n + 1) * 8192),
    );
    expect(frames(chunks)).toEqual(long);
  });

  test("the default limit is 16 MiB", () => {
    expect(defaultMaxFrameBytes).toBe(16 * 1024 * 1024);
  });

  test("a chunk that is looked at once is never copied or searched again", () => {
    const chunks = Array.from({ length: 200 }, () => Buffer.alloc(8192, "x"));
    let searched = 0;
    for (const chunk of chunks) {
      chunk.indexOf = (value: string | number | Uint8Array, from?: number | BufferEncoding) => {
        searched += 1;
        return Buffer.prototype.indexOf.call(chunk, value, typeof from === "number" ? from : 0);
      };
    }
    expect(frames([...chunks, "\n"])).toHaveLength(1);
    expect(searched).toBe(chunks.length);
  });
});

describe("STD-03: chunks", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(ping, "", " ", "\r", byteOrderMark, "漢字🎉", "x".repeat(40)),
  );
  const line = fc.oneof(
    { weight: 6, arbitrary: text.map((one) => Buffer.from(one.replaceAll("\n", " "))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
  );
  const stream = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
    .map(([all, unfinished]) =>
      Buffer.concat(all.flatMap((one, n) => (unfinished && n === all.length - 1 ? [one] : [one, Buffer.from("\n")]))),
    );

  test("STD-03: any chunking of any bytes gives the same frames", () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 400 })), fc.constantFrom(16, 64, undefined), (bytes, cuts, limit) => {
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((to, n) => bytes.subarray(at[n], to));
        const whole = frames([bytes], limit);
        expect(frames(chunks, limit)).toEqual(whole);
        expect(frames(bytewise(bytes), limit)).toEqual(whole);
      }),
    );
  });
});
