import type { JsonObject } from "@parlance/jsonrpc";
import type { Annotations, CacheHint, Call, ResourceDefinition } from "@parlance/protocol-versions";
import type { Completer } from "../completion/completer.js";
import type { Described } from "../definition.js";
import type { TemplateVariables } from "../uri-template/variables.js";

/**
 * One content of a resource: text, or bytes (given as such or in base64).
 * @stable
 */
export interface ResourceContent {
  /** Default: the URI that was read. */
  readonly uri?: string | undefined;
  /** Default: the resource's. */
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: Uint8Array | string | undefined;
  readonly _meta?: JsonObject | undefined;
}

/**
 * What reading gives: text, bytes, one content or several, or a whole result. Nothing: there is no such resource.
 * @stable
 */
export type ResourceReturn =
  | string
  | Uint8Array
  | ResourceContent
  | readonly ResourceContent[]
  | { readonly contents: readonly ResourceContent[]; readonly _meta?: JsonObject | undefined }
  | null
  | undefined;

interface Readable extends Described {
  readonly name: string;
  readonly mimeType?: string | undefined;
  readonly annotations?: Annotations | undefined;
  /** How long and by whom what was read may be kept. Default: `readCache` of the set. */
  readonly cache?: CacheHint | undefined;
}

/**
 * A resource with a URI of its own.
 * @see MCP 2026-07-28, server/resources
 * @stable
 */
export interface Resource extends Readable {
  /** Compared as it is, character by character. */
  readonly uri: string;
  /** In bytes. */
  readonly size?: number | undefined;
  read(call: Call): ResourceReturn | Promise<ResourceReturn>;
}

/**
 * A family of resources, named by a URI template of RFC 6570.
 * @see MCP 2026-07-28, server/resources, resource templates
 * @stable
 */
export interface ResourceTemplate<T extends string = string> extends Readable {
  readonly uriTemplate: T;
  /** The variables are percent-decoded, once. `{x}` is never empty and has no `/` in the URI; decoded it may. */
  read(variables: TemplateVariables<NoInfer<T>>, call: Call): ResourceReturn | Promise<ResourceReturn>;
  /** Those of the family that `resources/list` shows. Asked at each list. Default: none. */
  readonly list?: ((call: Call) => readonly ResourceDefinition[] | Promise<readonly ResourceDefinition[]>) | undefined;
  /** Suggests values for variables. */
  readonly complete?: { readonly [variable: string]: Completer } | undefined;
}

/**
 * A template whose variables are forgotten, as lists hold it.
 * @stable
 */
export interface AnyResourceTemplate extends Readable {
  readonly uriTemplate: string;
  read(variables: never, call: Call): ResourceReturn | Promise<ResourceReturn>;
  readonly list?: ((call: Call) => readonly ResourceDefinition[] | Promise<readonly ResourceDefinition[]>) | undefined;
  readonly complete?: { readonly [variable: string]: Completer } | undefined;
}

/**
 * A resource, or a template of some.
 * @stable
 */
export type AnyResource = Resource | AnyResourceTemplate;

/**
 * Writes a template, its `read` typed by the variables in its text. It returns what it is given.
 * @stable
 */
export function resourceTemplate<const T extends string>(template: ResourceTemplate<T>): ResourceTemplate<T> {
  return template;
}
