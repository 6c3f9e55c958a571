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
  return choices.slice(0, LISTED).map(show).join(", ") + (beyond > 0 ? ` and ${beyond} more` : "");
}

export function plural(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun.replace(/y$/, "ie")}s`}`;
}

/** `; did you mean "green"?`, or nothing when no choice is near. */
export function nearest(text: unknown, choices: readonly unknown[]): string {
  if (!isString(text) || text.length > SHOWN) return "";
  let best = "";
  let least = Math.max(2, text.length / 3) + 0.5;
  for (const choice of choices.slice(0, COMPARED)) {
    if (!isString(choice) || Math.abs(choice.length - text.length) > least) continue;
    const edits = distance(text.toLowerCase(), choice.toLowerCase());
    if (edits >= least) continue;
    best = `; did you mean ${show(choice)}?`;
    least = edits;
  }
  return best;
}

/** Characters to insert, remove or replace. */
function distance(from: string, to: string): number {
  let row = Array.from(to, (_, index) => index + 1);
  for (const [index, character] of [...from].entries()) {
    let diagonal = index;
    let left = index + 1;
    row = row.map((above, at) => {
      left = Math.min(diagonal + (character === to[at] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      return left;
    });
  }
  return row.at(-1) ?? from.length;
}
