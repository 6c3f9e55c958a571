import type { JsonObject } from "@parlance/jsonrpc";
import type { Icon } from "./icon.js";

/**
 * Hints about a piece of content.
 * @see MCP 2026-07-28, schema, Annotations
 * @stable
 */
export type Annotations = {
  readonly audience?: readonly ("user" | "assistant")[] | undefined;
  /** 0 (least) to 1 (most important). */
  readonly priority?: number | undefined;
  /** ISO 8601; travels from 2025-06-18. */
  readonly lastModified?: string | undefined;
};

/** Text. @stable */
export type TextContent = {
  readonly type: "text";
  readonly text: string;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
};

/** An image, its bytes in base64. @stable */
export type ImageContent = {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
};

/** Sound, its bytes in base64; travels from 2025-03-26. @stable */
export type AudioContent = {
  readonly type: "audio";
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
};

/** The text or the base64 bytes of a resource. @stable */
export type ResourceContents = {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
  readonly _meta?: JsonObject | undefined;
};

/** A resource's contents, embedded. @stable */
export type EmbeddedResource = {
  readonly type: "resource";
  readonly resource: ResourceContents;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
};

/** A pointer to a resource; travels from 2025-06-18. @stable */
export type ResourceLink = {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly size?: number | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
};

/** A block whose type no revision knows yet: kept as it came. @stable */
export type UnknownContent = { readonly type: string; readonly [key: string]: unknown };

/**
 * One block of a tool result or prompt message.
 * @see MCP 2026-07-28, schema, ContentBlock
 * @stable
 */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;
