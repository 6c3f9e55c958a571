import type { JsonObject } from "@parlance/jsonrpc";
import type { Annotations, ResourceContents } from "./content.js";
import type { Icon } from "./icon.js";

/**
 * A resource as a server lists it. `title` and `_meta` travel from 2025-06-18, `icons` from 2025-11-25.
 * @see MCP 2026-07-28, schema, Resource
 * @stable
 */
export type ResourceDefinition = {
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  /** Of the raw content, in bytes. */
  readonly size?: number | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
};

/**
 * A family of resources, named by a URI template (RFC 6570).
 * @see MCP 2026-07-28, schema, ResourceTemplate
 * @stable
 */
export type ResourceTemplateDefinition = {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
};

/**
 * The result of `resources/read`.
 * @see MCP 2026-07-28, schema, ReadResourceResult
 * @stable
 */
export type ReadResourceResult = {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: JsonObject | undefined;
};
