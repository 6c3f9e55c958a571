import type { JsonObject } from "@parlance/jsonrpc";
import { checkAnnotations, describe, wrong } from "../definition.js";
import type { AnyResourceTemplate, Resource } from "./resource.js";
import { isUri } from "./uri.js";

/**
 * A resource as it is listed.
 * @throws LocalError `INVALID_ARGUMENT`
 */
export function resourceDefinition(resource: Resource): JsonObject {
  const { uri, size } = resource;
  if (!isUri(uri)) throw wrong("the uri of a resource", uri, "a URI with its scheme, percent-encoded where it must be");
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0))
    throw wrong(`size of resource "${uri}"`, size, "a whole number of bytes");
  return { uri, ...readable(`resource "${uri}"`, resource), size };
}

/**
 * A template as it is listed.
 * @throws LocalError `INVALID_ARGUMENT`
 */
export function templateDefinition(template: AnyResourceTemplate): JsonObject {
  const { uriTemplate } = template;
  return { uriTemplate, ...readable(`resource template "${uriTemplate}"`, template) };
}

function readable(what: string, resource: Resource | AnyResourceTemplate): JsonObject {
  const { name, mimeType, annotations, read } = resource;
  if (typeof name !== "string" || name === "") throw wrong(`the name of ${what}`, name, "a text that is not empty");
  if (typeof read !== "function") throw wrong(`read of ${what}`, typeof read, "a function");
  if (annotations !== undefined) checkAnnotations(what, annotations);
  return { name, ...describe(what, resource), mimeType, annotations };
}
