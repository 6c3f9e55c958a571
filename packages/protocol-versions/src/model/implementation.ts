import { isJsonObject } from "../json-object.js";
import type { Icon } from "./icon.js";

/**
 * Who a client or server says it is. It changes no behavior and decides no security question.
 * `title` travels from 2025-06-18, `description`, `icons` and `websiteUrl` from 2025-11-25.
 * @see MCP 2026-07-28, schema, Implementation
 * @stable
 */
export type Implementation = {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly websiteUrl?: string | undefined;
};

/**
 * Whether a value names an implementation: it has the two members that every revision requires.
 */
export function isImplementation(value: unknown): value is Implementation {
  return isJsonObject(value) && typeof value["name"] === "string" && typeof value["version"] === "string";
}
