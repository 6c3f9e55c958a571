import type { Call } from "@parlance/protocol-versions";
import type { Completer } from "../completion/completer.js";
import { wrong } from "../definition.js";
import type { Later } from "../later.js";
import { type Matched, matchTemplate } from "../uri-template/match.js";
import { type Part, parseTemplate } from "../uri-template/template.js";
import type { AnyResourceTemplate, ResourceReturn } from "./resource.js";

/** A template, ready to be matched. */
export interface Family {
  readonly template: AnyResourceTemplate;
  readonly completers: ReadonlyMap<string, Completer | undefined>;
  /** How much of its text is not variable. */
  readonly literal: number;
  match(uri: string): Matched | undefined;
  read(variables: Matched, call: Call): Later<ResourceReturn>;
}

interface Readable {
  read(variables: Matched, call: Call): Later<ResourceReturn>;
}

/**
 * Takes a template in.
 * @throws LocalError `INVALID_ARGUMENT` for a template that is none, or a completer of a variable that it does not have
 */
export function createFamily(template: AnyResourceTemplate): Family {
  const { uriTemplate, complete = {} } = template;
  const parts = parseTemplate(uriTemplate);
  const readable: Readable = template;
  const completers = new Map<string, Completer | undefined>(parts.flatMap(namesIn).map((name) => [name, undefined]));
  for (const [name, completer] of Object.entries(complete)) {
    if (!completers.has(name)) throw wrong(`complete of "${uriTemplate}"`, name, "a variable of the template");
    completers.set(name, completer);
  }
  return {
    template,
    completers,
    literal: parts.reduce((sum, part) => sum + (part.type === "literal" ? part.text.length : 0), 0),
    match: (uri) => matchTemplate(parts, uri),
    read: (variables, call) => readable.read(variables, call),
  };
}

function namesIn(part: Part): readonly string[] {
  switch (part.type) {
    case "literal":
      return [];
    case "value":
      return [part.name];
    case "pairs":
      return part.variables.map(({ name }) => name);
    default:
      return part satisfies never;
  }
}

/** The family that a URI belongs to: of several, the one with the most text that is not variable. */
export function findFamily(
  families: readonly Family[],
  uri: string,
): { readonly family: Family; readonly variables: Matched } | undefined {
  let found: { readonly family: Family; readonly variables: Matched } | undefined;
  for (const family of families) {
    if (found !== undefined && family.literal <= found.family.literal) continue;
    const variables = family.match(uri);
    if (variables !== undefined) found = { family, variables };
  }
  return found;
}
