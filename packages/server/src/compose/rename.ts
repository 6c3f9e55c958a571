import type { JsonObject } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { isJsonObject } from "@parlance/protocol-versions";
import type { UriNames } from "./watch.js";

/** How the parameters and the result of a method are told inside and outside. */
export interface Renaming {
  /** The parameters inside; text: why they name nothing that is mounted. */
  readonly params?: ((params: JsonObject) => JsonObject | string) | undefined;
  readonly result?: ((result: JsonObject) => JsonObject) | undefined;
}

type Names = UriNames;
type Change = (value: JsonObject) => JsonObject;

/** Names that begin with a prefix outside. */
export function namesUnder(prefix: string): Names {
  return {
    outside: (name) => prefix + name,
    inside: (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined),
  };
}

/** What is renamed in each method; what has another is told as it is. */
export function renamings(names: Names, uris: Names): ReadonlyMap<string, Renaming> {
  const named = entry("name", names);
  const located = entry("uri", uris);
  const block: Change = (content) => {
    const linked = content["type"] === "resource_link" ? located(content) : content;
    return inMember("resource", located)(linked);
  };
  return new Map<string, Renaming>([
    ["tools/list", { result: inMember("tools", named) }],
    ["tools/call", { params: toInside("name", names, "tool"), result: inMember("content", block) }],
    ["prompts/list", { result: inMember("prompts", named) }],
    [
      "prompts/get",
      { params: toInside("name", names, "prompt"), result: inMember("messages", inMember("content", block)) },
    ],
    ["resources/list", { result: inMember("resources", located) }],
    ["resources/templates/list", { result: inMember("resourceTemplates", entry("uriTemplate", uris)) }],
    ["resources/read", { params: toInside("uri", uris, "resource"), result: inMember("contents", located) }],
    ["completion/complete", { params: (params) => completed(params, names, uris) }],
  ]);
}

function entry(member: string, { outside }: Names): Change {
  return (value) => {
    const name = value[member];
    return typeof name === "string" ? { ...value, [member]: outside(name) } : value;
  };
}

/** Changes what is in a member: an object, or each object of a list. */
function inMember(member: string, change: Change): Change {
  return (value) => {
    const before = value[member];
    if (Array.isArray(before))
      return { ...value, [member]: before.map((one) => (isJsonObject(one) ? change(one) : one)) };
    return isJsonObject(before) ? { ...value, [member]: change(before) } : value;
  };
}

/** What is no name at all is for whoever would look it up to refuse. */
function toInside(member: string, { inside }: Names, noun: string): NonNullable<Renaming["params"]> {
  return (params) => {
    const name = params[member];
    if (typeof name !== "string") return params;
    const own = inside(name);
    return own === undefined ? `there is no ${noun} ${excerpt(name)}` : { ...params, [member]: own };
  };
}

function completed(params: JsonObject, names: Names, uris: Names): JsonObject | string {
  const { ref } = params;
  if (!isJsonObject(ref)) return params;
  const own =
    ref["type"] === "ref/prompt"
      ? toInside("name", names, "prompt")(ref)
      : toInside("uri", uris, "resource template")(ref);
  return typeof own === "string" ? own : { ...params, ref: own };
}
