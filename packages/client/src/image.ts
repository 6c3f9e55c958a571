import type { LoadedIcon } from "./icon.js";

/** What the bytes of an image say of it. */
export interface Image extends Omit<LoadedIcon, "bytes"> {
  readonly isAnimated: boolean;
}

/** Reads the head of an image; nothing when it is of none of the kinds, or cut short. */
export function readImage(bytes: Uint8Array): Image | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readPng(view) ?? readJpeg(view) ?? readWebp(view);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @see https://www.w3.org/TR/png-3 */
function readPng(view: DataView): Image | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined;
  if (textAt(view, 12) !== "IHDR") return undefined;
  let isAnimated = false;
  // what says that there are frames comes before the first of them
  for (let at = 8, name = ""; at < view.byteLength && name !== "IDAT" && !isAnimated; at += 12 + view.getUint32(at)) {
    name = textAt(view, at + 4);
    isAnimated = name === "acTL";
  }
  return { mimeType: "image/png", width: view.getUint32(16), height: view.getUint32(20), isAnimated };
}

/** @see ITU-T T.81, annex B */
function readJpeg(view: DataView): Image | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (!isFrame) continue;
    return { mimeType: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5), isAnimated: false };
  }
  return undefined;
}

/** @see RFC 9649 */
function readWebp(view: DataView): Image | undefined {
  if (textAt(view, 0) !== "RIFF" || textAt(view, 8) !== "WEBP") return undefined;
  const mimeType = "image/webp";
  switch (textAt(view, 12)) {
    case "VP8X": {
      const sizes = view.getUint16(24, true) + (view.getUint8(26) << 16);
      const heights = view.getUint16(27, true) + (view.getUint8(29) << 16);
      return { mimeType, width: sizes + 1, height: heights + 1, isAnimated: (view.getUint8(20) & 2) !== 0 };
    }
    case "VP8L": {
      const sizes = view.getUint32(21, true);
      return { mimeType, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1, isAnimated: false };
    }
    case "VP8 ":
      return {
        ...{ mimeType, isAnimated: false },
        ...{ width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff },
      };
    default:
      return undefined;
  }
}

function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}
