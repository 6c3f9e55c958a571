import { LocalError } from "@parlance/jsonrpc";
import {
  isJsonObject,
  type ReadResourceResult,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
} from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import { type List, readAll, readEach, reporting } from "./list.js";
import type { ListOptions } from "./pages.js";
import type { RequestOptions } from "./waiting.js";

const resourceList: List<ResourceDefinition> = {
  method: "resources/list",
  member: "resources",
  is: (entry): entry is ResourceDefinition => typeof entry["uri"] === "string" && typeof entry["name"] === "string",
  keyOf: (resource) => resource.uri,
  needs: "uri or no name",
  leftOut: /* @__PURE__ */ reporting("resources/list"),
};

const templateList: List<ResourceTemplateDefinition> = {
  method: "resources/templates/list",
  member: "resourceTemplates",
  is: (entry): entry is ResourceTemplateDefinition =>
    typeof entry["uriTemplate"] === "string" && typeof entry["name"] === "string",
  keyOf: (template) => template.uriTemplate,
  needs: "uriTemplate or no name",
  leftOut: /* @__PURE__ */ reporting("resources/templates/list"),
};

/**
 * Lists the resources, all pages of them.
 * @throws LocalError `UNSUPPORTED` when the server has none to offer; `BAD_REPLY` for a list that has no end
 * @see MCP 2026-07-28, server/resources, listing resources
 * @stable
 */
export function listResources(client: Client, options: ListOptions = {}): Promise<readonly ResourceDefinition[]> {
  return readAll(client, resourceList, options);
}

/**
 * Lists the resources one by one; a page is asked for when the one before was used up.
 * @throws LocalError as `listResources` does
 * @stable
 */
export function eachResource(client: Client, options: ListOptions = {}): AsyncGenerator<ResourceDefinition, void> {
  return readEach(client, resourceList, options);
}

/**
 * Lists the templates of resources, all pages of them.
 * @throws LocalError as `listResources` does
 * @see MCP 2026-07-28, server/resources, resource templates
 * @stable
 */
export function listResourceTemplates(
  client: Client,
  options: ListOptions = {},
): Promise<readonly ResourceTemplateDefinition[]> {
  return readAll(client, templateList, options);
}

/**
 * Lists the templates of resources one by one; a page is asked for when the one before was used up.
 * @throws LocalError as `listResources` does
 * @stable
 */
export function eachResourceTemplate(
  client: Client,
  options: ListOptions = {},
): AsyncGenerator<ResourceTemplateDefinition, void> {
  return readEach(client, templateList, options);
}

/**
 * Reads a resource. What does not exist is an `RpcError` that `isResourceNotFound` knows.
 * @throws LocalError `UNSUPPORTED` when the server has no resources; `BAD_REPLY` for contents that are none
 * @see MCP 2026-07-28, server/resources, reading resources
 * @stable
 */
export async function readResource(
  client: Client,
  uri: string,
  options: RequestOptions = {},
): Promise<ReadResourceResult> {
  const result = await client.request("resources/read", { uri }, options);
  if (isContents(result)) return result;
  throw new LocalError("BAD_REPLY", `resources/read was answered with contents that are none for ${uri}`, {
    details: { method: "resources/read", uri },
  });
}

function isContents(result: object): result is ReadResourceResult {
  return "contents" in result && Array.isArray(result.contents) && result.contents.every(isContent);
}

/** One of the two must be there; which is the server's to say. */
function isContent(content: unknown): boolean {
  if (!isJsonObject(content) || typeof content["uri"] !== "string") return false;
  return typeof content["text"] === "string" || typeof content["blob"] === "string";
}
