import { cut, kindOf } from "./json.js";
import type { Issue } from "./schema.js";

// Libraries repeat values in their messages, and the values are the caller's.
const mostIssues = 10;
const longestMessage = 500;
const longestPath = 200;

/**
 * Says what is wrong with a value so that a model can put it right: where, what was expected, and what was there.
 */
export function describeIssues(issues: readonly Issue[], value: unknown): string {
  return some(issues, (issue) => `- ${describe(issue, value)}`, "\n", "\n- and");
}

/** Names members that should not be there. */
export function listNames(names: readonly string[]): string {
  return some(names, kindOf, ", ", " and");
}

/** Where the issues are, without what is there. */
export function listPaths(issues: readonly Issue[]): string {
  return some(issues, (issue) => pathText(issue) || "its root", ", ", " and");
}

function some<T>(items: readonly T[], text: (item: T) => string, separator: string, and: string): string {
  const told = items.slice(0, mostIssues).map(text).join(separator);
  return items.length > mostIssues ? `${told}${and} ${items.length - mostIssues} more` : told;
}

function describe(issue: Issue, root: unknown): string {
  const path = pathText(issue);
  const message = cut(issue.message, longestMessage);
  // The root is an object in any case.
  if (path === "") return message;
  const kind = found(issue, root);
  // "… got 5" and "… (was 5)" have said it.
  const known = message.replace(/\)$/, "").endsWith(` ${kind}`);
  return `${path}: ${message}${known ? "" : ` (it is ${kind})`}`;
}

function pathText(issue: Issue): string {
  let text = "";
  for (const key of keys(issue)) {
    text += typeof key === "number" ? `[${key}]` : `${text && "."}${String(key)}`;
  }
  return cut(text, longestPath);
}

function found(issue: Issue, root: unknown): string {
  let value = root;
  for (const key of keys(issue)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return "missing";
    value = Reflect.get(value, key);
  }
  return kindOf(value);
}

function keys(issue: Issue): readonly PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
}
