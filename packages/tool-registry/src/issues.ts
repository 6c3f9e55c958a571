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
  const lines = issues.slice(0, mostIssues).map((issue) => describe(issue, value));
  if (issues.length > mostIssues) lines.push(`- and ${issues.length - mostIssues} more`);
  return lines.join("\n");
}

/** Names members that should not be there. */
export function listNames(names: readonly string[]): string {
  const more = names.length > mostIssues ? ` and ${names.length - mostIssues} more` : "";
  return `${names.slice(0, mostIssues).map(kindOf).join(", ")}${more}`;
}

/** Where the issues are, without what is there. */
export function listPaths(issues: readonly Issue[]): string {
  return issues
    .slice(0, mostIssues)
    .map((issue) => pathText(issue) || "its root")
    .join(", ");
}

function describe(issue: Issue, root: unknown): string {
  const path = pathText(issue);
  return `- ${path === "" ? "" : `${path}: `}${cut(issue.message, longestMessage)} (${found(issue, root)})`;
}

function pathText(issue: Issue): string {
  let text = "";
  for (const key of keys(issue)) {
    if (typeof key === "number") text += `[${key}]`;
    else text += text === "" ? String(key) : `.${String(key)}`;
  }
  return cut(text, longestPath);
}

function found(issue: Issue, root: unknown): string {
  let value = root;
  for (const key of keys(issue)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return "it is missing";
    value = Reflect.get(value, key);
  }
  return `it is ${kindOf(value)}`;
}

function keys(issue: Issue): readonly PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
}
