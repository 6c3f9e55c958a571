import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { type Call, type CompleteResult, type Feature, isJsonObject, type Outcome } from "@parlance/protocol-versions";
import type { SharedFeature } from "../feature-set.js";
import { after, type Later } from "../later.js";
import { refuse } from "../list.js";
import type { Completed, Completer } from "./completer.js";

/** How many values one answer may have. */
const mostValues = 100;

/** What can be completed, in one feature set. */
export interface CompletionSource {
  /** The type of reference that it answers. */
  readonly ref: "ref/prompt" | "ref/resource";
  /** Whether anything in it has a completer. */
  completes(): boolean;
  /** The arguments of what is referred to, each with its completer if it has one; text: why it refers to nothing. */
  argumentsOf(ref: JsonObject, call: Call): ReadonlyMap<string, Completer | undefined> | string;
}

/** Answers `completion/complete`, and says whether there is anything to complete. */
export interface Completion extends SharedFeature {
  readonly sources: readonly CompletionSource[];
  completes(): boolean;
}

/**
 * Answers `completion/complete`, together with other sets that do.
 * @see MCP 2026-07-28, server/utilities/completion
 */
export function completion(...sources: readonly CompletionSource[]): Completion {
  return Object.assign((call: Call) => complete(call, sources), {
    sources,
    completes: () => sources.some((source) => source.completes()),
    join: (other: Feature) => (isCompletion(other) ? completion(...sources, ...other.sources) : undefined),
  });
}

function isCompletion(feature: Feature): feature is Feature & Completion {
  return "sources" in feature;
}

function complete(call: Call, sources: readonly CompletionSource[]): Later<Outcome> {
  if (!sources.some((source) => source.completes())) {
    throw new RpcError(rpcCodes.methodNotFound, "nothing is completed here");
  }
  const { ref, argument, context } = call.params;
  const source = isJsonObject(ref) ? sources.find((one) => one.ref === ref["type"]) : undefined;
  if (!isJsonObject(ref) || source === undefined) {
    const known = sources.map((one) => one.ref).join(" or ");
    return refuse(`ref must be an object whose type is ${known}, got ${excerpt(ref)}`);
  }
  if (!isJsonObject(argument) || typeof argument["name"] !== "string" || typeof argument["value"] !== "string") {
    return refuse(`argument must have a name and a value, both text, got ${excerpt(argument)}`);
  }
  const chosen = readChosen(context);
  if (chosen === undefined) return refuse(`context.arguments must hold text only, got ${excerpt(context)}`);
  const known = source.argumentsOf(ref, call);
  if (typeof known === "string") return refuse(known);
  const { name, value } = argument;
  if (!known.has(name))
    return refuse(`there is no argument ${excerpt(name)}; there are ${[...known.keys()].join(", ") || "none"}`);
  const completer = known.get(name);
  const completed = typeof completer === "function" ? completer(value, chosen, call) : ranked(value, completer ?? []);
  return after(completed, answer);
}

function readChosen(context: unknown): Readonly<Record<string, string>> | undefined {
  if (context === undefined) return {};
  const chosen = isJsonObject(context) ? (context["arguments"] ?? {}) : undefined;
  return isTexts(chosen) ? chosen : undefined;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === "string");
}

function ranked(typed: string, values: readonly string[]): readonly string[] {
  const wanted = typed.toLowerCase();
  const found = values.map((value) => ({ value, at: value.toLowerCase().indexOf(wanted) })).filter(({ at }) => at >= 0);
  return [...found.filter(({ at }) => at === 0), ...found.filter(({ at }) => at > 0)].map(({ value }) => value);
}

function isList(completed: Completed): completed is readonly string[] {
  return Array.isArray(completed);
}

function answer(completed: Completed): Outcome {
  const { values, total, hasMore } = isList(completed) ? { values: completed } : completed;
  const isCut = values.length > mostValues;
  const completion = {
    values: values.slice(0, mostValues),
    total: total ?? (isCut ? values.length : undefined),
    hasMore: isCut || hasMore,
  };
  const result: CompleteResult = { completion };
  return { type: "complete", result };
}
