import { isArray, isObject, isString, names } from "./json.js";

/** Characters of a string, and choices of a list, that are shown. */
const SHOWN = 60;
const LISTED = 10;
/** Choices that a misspelt one is compared with. */
const COMPARED = 1_000;

/** A value in a few words: small ones as they are, large ones by their kind and size. */
export function show(value: unknown): string {
  if (isString(value))
    return value.length > SHOWN ? `${JSON.stringify(value.slice(0, SHOWN))}…` : JSON.stringify(value);
  if (isArray(value)) return value.length === 0 ? "[]" : `an array of ${plural(value.length, "item")}`;
  if (!isObject(value)) return String(value);
  const members = names(value);
  return members.length === 0 ? "{}" : `an object with ${list(members)}`;
}

/** Some of the choices, and how many there are beyond. */
export function list(choices: readonly unknown[]): string {
  const beyond = choices.length - LISTED;
  return (choices.slice(0, LISTED).map(show).join(", ") || "none") + (beyond > 0 ? ` and ${beyond} more` : "");
}

export function plural(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun.replace(/y$/, "ie")}s`}`;
}

/** `; did you mean "green"?`, or nothing when no choice is near. */
export function nearest(text: unknown, choices: readonly unknown[]): string {
  if (!isString(text) || text.length > SHOWN) return "";
  const words = choices.slice(0, COMPARED).filter(isString);
  const [near] = [0, 1, 2].flatMap((edits) =>
    words.filter((word) => isNear(text.toLowerCase(), word.toLowerCase(), edits)),
  );
  return near === undefined ? "" : `; did you mean ${show(near)}?`;
}

/** Is it enough to insert, remove or replace so many characters? */
function isNear(from: string, to: string, edits: number): boolean {
  if (from === to) return true;
  const [rest, other] = [from.slice(1), to.slice(1)];
  if (from !== "" && from[0] === to[0]) return isNear(rest, other, edits);
  return (
    edits > 0 &&
    [
      [rest, to],
      [from, other],
      [rest, other],
    ].some(([a = "", b = ""]) => isNear(a, b, edits - 1))
  );
}
