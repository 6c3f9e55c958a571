import type { Random } from "./random.js";

type Container = Record<string, unknown> | unknown[];

const keys = [
  ...["jsonrpc", "id", "method", "params", "result", "error", "_meta", "name", "arguments", "protocolVersion"],
  ...["progressToken", "requestId", "cursor", "level", "inputResponses", "requestState", "code", "message"],
  ...["io.modelcontextprotocol/protocolVersion", "__proto__", "constructor", "toString", "then", "", "x\u0000y"],
];
const values: readonly unknown[] = [
  ...[null, true, false, 0, -0, 1, -1, 1.5, 1e308, 2 ** 53, -(2 ** 53), Number.MIN_VALUE],
  ...["", "2.0", "1", "2025-11-25", "2026-07-28", "initialize", "server/discover", "tools/call", "ping"],
  ...["notifications/cancelled", "notifications/initialized", "notifications/progress", "\u2028", "\ud800", "é漢🎉"],
  ...[[], {}, [[]], [null], { a: { b: [1] } }, { "": null }],
];
const pieces = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "null",
  "\\u0000",
  "\r",
  "\t",
  " ",
  "\u2028",
  "1e999",
  "-",
  "/",
];

/** Changes one message in one to four ways. What comes out are bytes that may be no message, no JSON or no text. */
export function mutate(text: string, other: string, random: Random): Buffer {
  let changed = text;
  const ways = random.oneIn(2) ? 1 : 2 + random.below(3);
  for (let way = 0; way < ways; way++)
    changed = random.oneIn(4) ? cut(changed, other, random) : reshape(changed, other, random);
  const bytes = Buffer.from(changed);
  if (bytes.length > 0 && random.oneIn(20)) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

/** Changes the text without a look at what it says. */
function cut(text: string, other: string, random: Random): string {
  const at = random.below(text.length + 1);
  const to = at + random.below(Math.min(20, text.length - at + 1));
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, at) + random.pick(pieces) + text.slice(to);
    case 3:
      return text.slice(0, at) + other.slice(random.below(other.length));
    default:
      return text.slice(0, to) + text.slice(at);
  }
}

/** Changes the value, as long as it is JSON. */
function reshape(text: string, other: string, random: Random): string {
  const value = read(text);
  if (!isContainer(value)) return cut(text, other, random);
  if (random.oneIn(40)) return wrap(text, other, random);
  change(within(value, random), other, random);
  return JSON.stringify(value);
}

function wrap(text: string, other: string, random: Random): string {
  switch (random.below(3)) {
    case 0:
      return `[${text}]`;
    case 1:
      return `[${text},${other},${text}]`;
    default:
      return `${"[".repeat(500)}${text}${"]".repeat(500)}`;
  }
}

function change(container: Container, other: string, random: Random): void {
  const own = Object.keys(container);
  const key = random.pick(own.length > 0 ? own : keys);
  switch (random.below(4)) {
    case 0:
      Reflect.deleteProperty(container, key);
      break;
    case 1:
      define(container, key, strange(other, random));
      break;
    case 2:
      define(
        container,
        Array.isArray(container) ? String(container.length) : random.pick(keys),
        strange(other, random),
      );
      break;
    default:
      define(container, random.pick(own.length > 0 ? own : keys), Reflect.get(container, key));
  }
}

/** A value from elsewhere, mostly of a type that nobody expects. */
function strange(other: string, random: Random): unknown {
  const value = random.oneIn(4) ? read(other) : undefined;
  return isContainer(value) ? within(value, random) : structuredClone(random.pick(values));
}

/** Also for `__proto__`, which an assignment would not make a member. */
function define(container: Container, key: string, value: unknown): void {
  if (Array.isArray(container) && !/^\d+$/.test(key)) return;
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The value, or something inside it that can be changed. */
function within(value: Container, random: Random): Container {
  const inner = Object.values(value).filter(isContainer);
  return inner.length === 0 || random.oneIn(3) ? value : within(random.pick(inner), random);
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
