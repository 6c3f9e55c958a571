import type { Issue } from "./schema.js";

const mostIssues = 10;
const longestValue = 120;

/**
 * Says what is wrong with a value so that a model can put it right: where, what was expected, and what was there.
 */
export function describeIssues(issues: readonly Issue[], value: unknown): string {
  const lines = issues.slice(0, mostIssues).map((issue) => describe(issue, value));
  if (issues.length > mostIssues) lines.push(`- and ${issues.length - mostIssues} more`);
  return lines.join("\n");
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
  return `- ${path === "" ? "" : `${path}: `}${issue.message} (${found(issue, root)})`;
}

function pathText(issue: Issue): string {
  let text = "";
  for (const key of keys(issue)) {
    if (typeof key === "number") text += `[${key}]`;
    else text += text === "" ? String(key) : `.${String(key)}`;
  }
  return text;
}

function found(issue: Issue, root: unknown): string {
  let value = root;
  for (const key of keys(issue)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return "it is missing";
    value = Reflect.get(value, key);
  }
  const text = JSON.stringify(value) ?? "nothing";
  return `it is ${text.length > longestValue ? `${text.slice(0, longestValue)}…` : text}`;
}

function keys(issue: Issue): readonly PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
}
