import { isArray, isObject, isString, names } from "./json.js";
import { type Budget, spend } from "./limits.js";

/** Characters of a string, and choices of a list, that are shown. */
const SHOWN = 60;
const LISTED = 10;
/** Choices that a misspelt one is compared with. */
const COMPARED = 1_000;

/** A value in a few words: small ones as they are, large ones by their kind and size. */
export const show = (value: unknown): string => {
  if (isString(value)) return JSON.stringify(value.slice(0, SHOWN)) + (value.length > SHOWN ? "…" : "");
  if (isArray(value)) return `an array of ${plural(value.length, "item")}`;
  if (!isObject(value)) return String(value);
  const members = names(value);
  return members.length === 0 ? "{}" : `an object with ${list(members)}`;
};

/** Some of the choices, and how many there are beyond. */
export const list = (choices: readonly unknown[]): string => {
  const beyond = choices.length - LISTED;
  return (choices.slice(0, LISTED).map(show).join(", ") || "none") + (beyond > 0 ? ` and ${beyond} more` : "");
};

/** A count of things: `1 item`, `2 items`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `; did you mean "green"?`, or nothing when no choice is near. */
export const nearest = (text: unknown, choices: readonly unknown[], budget: Budget): string => {
  if (!isString(text) || text.length > SHOWN) return "";
  const words = choices.slice(0, COMPARED).filter(isString);
  spend(budget, words.length * SHOWN);
  const [near] = [0, 1, 2].flatMap((edits) =>
    words.filter((word) => isNear(text.toLowerCase(), word.toLowerCase(), edits)),
  );
  return near === undefined ? "" : `; did you mean ${show(near)}?`;
};

/** Is it enough to insert or remove so many characters? */
const isNear = (from: string, to: string, edits: number): boolean => {
  if (from === to) return true;
  const rest = from.slice(1);
  const other = to.slice(1);
  if (from[0] === to[0]) return isNear(rest, other, edits);
  return edits > 0 && (isNear(rest, to, edits - 1) || isNear(from, other, edits - 1));
};
