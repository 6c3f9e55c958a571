import { LocalError } from "@parlance/jsonrpc";
import type { ReadResourceResult, ResourceContents } from "@parlance/protocol-versions";
import { toBase64 } from "../base64.js";
import type { ResourceContent, ResourceReturn } from "./resource.js";

/**
 * Makes a result of what reading gave; nothing when there is no such resource.
 * @throws LocalError `INVALID_ARGUMENT` for a content that has not one of text and blob
 * @see MCP 2026-07-28, server/resources, resource contents
 */
export function readResult(
  returned: ResourceReturn,
  uri: string,
  mimeType: string | undefined,
): ReadResourceResult | undefined {
  if (returned === undefined || returned === null) return undefined;
  const { contents, _meta } = asContents(returned);
  if (contents.length === 0) return undefined;
  const finished = contents.map((content) => finish(content, uri, mimeType));
  // A member that is there, if only as undefined, costs the era a copy of the result.
  return _meta === undefined ? { contents: finished } : { contents: finished, _meta };
}

type Contents = Extract<ResourceReturn, { readonly contents: unknown }>;

function asContents(returned: NonNullable<ResourceReturn>): Contents {
  if (typeof returned === "string") return { contents: [{ text: returned }] };
  if (returned instanceof Uint8Array) return { contents: [{ blob: returned }] };
  if (isList(returned)) return { contents: returned };
  return "contents" in returned ? returned : { contents: [returned] };
}

function isList(returned: object): returned is readonly ResourceContent[] {
  return Array.isArray(returned);
}

function finish(content: ResourceContent, asked: string, usual: string | undefined): ResourceContents {
  const { uri = asked, mimeType = usual, text, blob, _meta } = content;
  if ((text === undefined) === (blob === undefined)) {
    const has = text === undefined ? "neither" : "both";
    const message = `a content of "${asked}" has ${has} of text and blob, and should have one`;
    throw new LocalError("INVALID_ARGUMENT", message, { details: { uri: asked } });
  }
  return { uri, mimeType, text, blob: blob instanceof Uint8Array ? toBase64(blob) : blob, _meta };
}
