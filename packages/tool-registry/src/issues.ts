import { excerpt } from "@parlance/jsonrpc/codec";
import type { Issue } from "./schema.js";

// Libraries repeat values in their messages, and the values are the caller's.
const mostIssues = 10;
const longestText = 2_000;

/**
 * Says what is wrong with a value so that a model can put it right: where, what was expected, and what was there.
 */
export function describeIssues(issues: readonly Issue[], root: unknown): string {
  const lines = issues.slice(0, mostIssues).map((issue) => `- ${describe(issue, root)}`);
  if (issues.length > mostIssues) lines.push(`- and ${issues.length - mostIssues} more`);
  return lines.join("\n").slice(0, longestText);
}

function describe({ message, path = [] }: Issue, root: unknown): string {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  // The root is an object in any case.
  if (keys.length === 0) return message;
  const found = excerpt(keys.reduce((value: unknown, key) => Object(value)[key], root));
  // "… got 5" and "… (was 5)" have said it.
  const it = message.includes(found) ? "" : ` (it is ${found})`;
  return `${keys.map(String).join(".")}: ${message}${it}`;
}
