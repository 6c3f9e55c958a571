import { type Call, type FeatureSet, isJsonObject, type Outcome } from "@parlance/protocol-versions";
import type { FeatureMiddleware } from "./feature-set.js";

/**
 * Something that a server may do, and most likely does not mean.
 *
 * - `embedded_resource`: a result holds a resource, and the server has none that a client could ask for
 * - `web_resource`: a resource that is listed by an address of the web, which clients will fetch there and not from the server
 * @experimental
 */
export type LintReport =
  | { readonly kind: "embedded_resource"; readonly method: string; readonly uri: unknown }
  | { readonly kind: "web_resource"; readonly uri: string };

/**
 * Looks at what features answer, for the time of writing a server: `createServer({ features, middleware: [lint(features,
 * console.warn)] })`. It changes no answer, and says each thing once.
 * @see MCP 2026-07-28, server/tools, embedded resources; server/resources, common URI schemes
 * @experimental
 */
export function lint(features: readonly FeatureSet[], report: (report: LintReport) => void): FeatureMiddleware {
  const hasResources = features.some(({ capabilities }) => "resources" in capabilities);
  const told = new Set<string>();

  function once(what: LintReport): void {
    const key = JSON.stringify(what);
    if (told.has(key)) return;
    told.add(key);
    report(what);
  }

  function look({ method }: Call, outcome: Outcome): Outcome {
    if (outcome.type !== "complete") return outcome;
    for (const block of hasResources ? [] : blocksOf(outcome.result)) {
      if (block["type"] !== "resource") continue;
      const { resource } = block;
      once({ kind: "embedded_resource", method, uri: isJsonObject(resource) ? resource["uri"] : undefined });
    }
    for (const { uri } of method === "resources/list" ? objects(outcome.result["resources"]) : []) {
      if (typeof uri === "string" && /^https?:/i.test(uri)) once({ kind: "web_resource", uri });
    }
    return outcome;
  }

  return (next) => (call) => {
    const outcome = next(call);
    return "then" in outcome ? outcome.then((settled) => look(call, settled)) : look(call, outcome);
  };
}

/** The content of a tool's result, and of the messages of a prompt. */
function blocksOf({
  content,
  messages,
}: {
  readonly [name: string]: unknown;
}): readonly ReturnType<typeof objects>[number][] {
  return [...objects(content), ...objects(messages).flatMap((message) => objects([message["content"]]))];
}

function objects(value: unknown): readonly { readonly [name: string]: unknown }[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
