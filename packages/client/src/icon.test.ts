import { describe, expect, test, vi } from "vitest";
import { iconFault, loadIcon } from "./icon.js";

const server = "https://example.com/mcp";
const src = "https://example.com/icon.png";

describe("ICON-03, ICON-04: where an icon may come from", () => {
  test.each([src, "data:image/png;base64,AAAA", "data:image/jpeg;base64,AAAA", "https://cdn.test/a.webp"])(
    "%s may be loaded",
    (from) => {
      expect(iconFault({ src: from }, { server, origins: ["https://cdn.test"] })).toBeUndefined();
    },
  );

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "file:///etc/passwd",
    "ftp://example.com/a.png",
    "ws://example.com/a",
    "vscode://open",
    "http://example.com/a.png",
    "https://evil.test/a.png",
    "https://example.com.evil.test/a.png",
    "https://example.com:8443/a.png",
    "https://user:word@example.com/a.png",
    "data:text/html,<script>",
    "data:image/svg+xml,<svg onload='alert(1)'/>",
    "icon.png",
    "",
  ])("%s may not", async (from) => {
    const fetch = vi.fn();
    expect(iconFault({ src: from }, { server })).toEqual(expect.any(String));
    await expect(loadIcon({ src: from }, { server, fetch })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(fetch).not.toHaveBeenCalled();
  });

  test("without the address of a server only what is inline may", () => {
    expect(iconFault({ src })).toEqual(expect.any(String));
    expect(iconFault({ src: "data:image/png;base64,AAAA" })).toBeUndefined();
  });
});

const text = (value: string): readonly number[] => [...value].map((character) => character.charCodeAt(0));
const chunk = (name: string, ...data: readonly number[]): readonly number[] => [
  ...[0, 0, 0, data.length, ...text(name), ...data],
  ...[0, 0, 0, 0],
];
const ihdr = chunk("IHDR", 0, 0, 0, 16, 0, 0, 0, 32, 8, 6, 0, 0, 0);
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...ihdr];
const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 32, 0, 16, 1, 1, 0, 0];
const riff = (...data: readonly number[]): readonly number[] => [...text("RIFF"), 0, 0, 0, 0, ...text("WEBP"), ...data];
const webp = riff(...text("VP8X"), 10, 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 31, 0, 0);

const answering = (bytes: readonly number[], status = 200) =>
  vi.fn(async (..._: Parameters<typeof fetch>) => new Response(new Uint8Array(bytes), { status }));

describe("ICON-04: what came is an icon only if it is", () => {
  test.each([
    ["image/png", [...png, ...chunk("IDAT", 1)]],
    ["image/jpeg", jpeg],
    ["image/webp", webp],
    ["image/webp", riff(...text("VP8L"), 0, 0, 0, 0, 0x2f, 15, 0xc0, 7, 0)],
    ["image/webp", riff(...text("VP8 "), 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 16, 0, 32, 0)],
  ])("a still image of the kind %s", async (mimeType, bytes) => {
    const icon = await loadIcon({ src, mimeType: "text/html" }, { server, fetch: answering(bytes) });
    expect(icon).toEqual({ mimeType, width: 16, height: 32, bytes: new Uint8Array(bytes) });
  });

  test.each([
    ["no image", text("<html></html> and more of it")],
    ["a drawing that may run scripts", text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["nothing", []],
    ["a head cut short", png.slice(0, 14)],
    ["an animation", [...png, ...chunk("acTL", 0, 0, 0, 2, 0, 0, 0, 0), ...chunk("IDAT", 1)]],
    ["an animation", riff(...text("VP8X"), 10, 0, 0, 0, 2, 0, 0, 0, 15, 0, 0, 31, 0, 0)],
  ])("not %s", async (_, bytes) => {
    await expect(loadIcon({ src }, { server, fetch: answering(bytes) })).rejects.toMatchObject({ code: "BAD_REPLY" });
  });

  test("not one that is too large, in bytes or in pixels, and not an error page", async () => {
    const bad = { code: "BAD_REPLY" };
    await expect(loadIcon({ src }, { server, fetch: answering(jpeg), maxBytes: 8 })).rejects.toMatchObject(bad);
    await expect(loadIcon({ src }, { server, fetch: answering(jpeg), maxPixels: 31 })).rejects.toMatchObject(bad);
    await expect(loadIcon({ src }, { server, fetch: answering(jpeg, 404) })).rejects.toMatchObject(bad);
  });

  test("it is asked for without credentials, and not elsewhere", async () => {
    const fetch = answering(jpeg);
    await loadIcon({ src }, { server, fetch });
    expect(fetch).toHaveBeenCalledExactlyOnceWith(src, {
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
    const redirected = vi.fn(() => Promise.reject(new TypeError("redirect")));
    await expect(loadIcon({ src }, { server, fetch: redirected })).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  test("an inline one is read too", async () => {
    const inline = `data:image/jpeg;base64,${btoa(String.fromCharCode(...jpeg))}`;
    expect(await loadIcon({ src: inline })).toMatchObject({ mimeType: "image/jpeg", width: 16, height: 32 });
  });
});
