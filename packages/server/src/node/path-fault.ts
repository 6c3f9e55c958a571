/** `%2e`, `%2f`, `%5c`, `%3a` and `%00`, however often they are encoded: what a later decoding would turn against us. */
export const encodedSeparator: RegExp = /%(?:25)*(?:2e|2f|5c|3a|00)/i;

const drive = /^[a-z]:/i;
const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)/i;

/**
 * What is wrong with a path that should be relative to a root, told by its text alone; nothing when it may be looked up.
 * Both separators count everywhere: what is harmless here may be passed on to where it is not.
 * @param windows whether names that only Windows takes for something else are wrong too
 */
export function pathFault(path: unknown, windows: boolean): string | undefined {
  if (typeof path !== "string") return `it is no text but ${path === null ? "null" : typeof path}`;
  if (path === "") return "it is empty";
  if (path.includes("\0")) return "it has a NUL character";
  if (encodedSeparator.test(path)) return "it has percent-encoded separators or dots";
  if (drive.test(path)) return "it starts with a drive";
  if (/^[\\/]{2}/.test(path)) return "it names another machine";
  if (/^[\\/]/.test(path)) return "it is absolute";
  return segmentFault(path.split(/[\\/]/), windows);
}

function segmentFault(segments: readonly string[], windows: boolean): string | undefined {
  let depth = 0;
  for (const segment of segments) {
    if (segment === "..") depth -= 1;
    else if (segment !== "" && segment !== ".") depth += 1;
    if (depth < 0) return "it leads out of the root";
    if (windows && isStrange(segment)) return `"${segment}" means something else on Windows`;
  }
  return undefined;
}

/** Windows drops dots and blanks at the end, and takes what follows a colon for a stream and some names for devices. */
function isStrange(segment: string): boolean {
  if (segment === "" || segment === "." || segment === "..") return false;
  return /[:<>"|?*]|[. ]$/.test(segment) || device.test(segment);
}
