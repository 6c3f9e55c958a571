import type { JsonObject } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import {
  type Call,
  type FeatureSet,
  isJsonObject,
  listening,
  type Outcome,
  type Refused,
} from "@parlance/protocol-versions";
import { createAnnouncements } from "../announcements.js";
import { type AddOptions, type CatalogOptions, createCatalog } from "../catalog.js";
import { completion } from "../completion/complete.js";
import type { Completer } from "../completion/completer.js";
import { describe, wrong } from "../definition.js";
import { after, type Later } from "../later.js";
import { createList, refuse } from "../list.js";
import { promptResult } from "./messages.js";
import type { AnyPrompt, PromptParameters, PromptReturn } from "./prompt.js";

/**
 * How a set of prompts behaves.
 * @stable
 */
export interface PromptsOptions extends CatalogOptions<AnyPrompt> {}

/**
 * Prompts by name: a feature set for a server.
 * @stable
 */
export interface Prompts extends FeatureSet {
  /**
   * Adds a prompt. A name that is there already is refused: whoever has it keeps it. Names are case-sensitive.
   * @throws LocalError `INVALID_ARGUMENT`; its `details.taken` says what is there already
   */
  add(prompt: AnyPrompt, options?: AddOptions): void;
  /** @returns whether there was such a prompt */
  remove(name: string): boolean;
  /** Removes all prompts of an owner at once. @returns their names */
  removeOwner(owner: string): readonly string[];
  /** @returns whether that changed anything */
  enable(name: string): boolean;
  /** Makes a prompt unknown until `enable`; its name stays taken. @returns whether that changed anything */
  disable(name: string): boolean;
  /** The prompt of that name, enabled or not, visible or not. */
  get(name: string): AnyPrompt | undefined;
  /** Hears that the list changed, once for all changes of a turn. @returns what ends it */
  changed: NonNullable<FeatureSet["changed"]>;
}

interface Gettable {
  get(values: Readonly<Record<string, string>>, call: Call): Later<PromptReturn>;
}

/**
 * Makes a set of prompts.
 * @throws LocalError `INVALID_ARGUMENT` for a prompt that is wrong, or there twice
 * @see MCP 2026-07-28, server/prompts
 * @stable
 */
export function createPrompts(prompts: readonly AnyPrompt[] = [], options: PromptsOptions = {}): Prompts {
  const { visible, cache, pages, report = ignore } = options;
  const announcements = createAnnouncements(report);
  const catalog = createCatalog<AnyPrompt>("prompt", visible, touched);
  const list = createList({ member: "prompts", key: "name", cache, pages });

  function touched(): void {
    list.invalidate();
    announcements.announce({ type: "prompts" });
  }

  function find(name: unknown, call: Call): AnyPrompt | undefined {
    return typeof name === "string" ? catalog.find(name, call) : undefined;
  }

  function get(call: Call): Later<Outcome> {
    const { name, arguments: given = {} } = call.params;
    const found = find(name, call);
    if (found === undefined) return refuse(`there is no prompt ${excerpt(name)}`);
    if (!isJsonObject(given)) return refuse(`arguments must be an object, got ${excerpt(given)}`);
    const values = readValues(found, given);
    if ("reason" in values) return values;
    const gettable: Gettable = found;
    return after<PromptReturn, Outcome>(gettable.get(values.values, call), (returned) => ({
      type: "complete",
      result: promptResult(found.name, returned, found.description),
    }));
  }

  const complete = completion({
    ref: "ref/prompt",
    completes: () => catalog.all.some(({ item }) => completersOf(item.arguments).some(([, completer]) => completer)),
    argumentsOf({ name }, call) {
      const found = find(name, call);
      return found === undefined ? `there is no prompt ${excerpt(name)}` : new Map(completersOf(found.arguments));
    },
  });

  function add(prompt: AnyPrompt, how?: AddOptions): void {
    catalog.add(prompt.name, prompt, definition(prompt), how);
  }

  for (const prompt of prompts) add(prompt);
  if (visible !== undefined && cache?.scope === "public") report({ kind: "shared_filtered_list" });

  return {
    ...listening(),
    get capabilities() {
      return { prompts: {}, completions: complete.completes() ? {} : undefined };
    },
    promises: { prompts: { listChanged: true } },
    methods: {
      "prompts/list": (call) =>
        list.answer(
          call,
          catalog.shown(call).map((entry) => entry.definition),
        ),
      "prompts/get": get,
      "completion/complete": complete,
    },
    add,
    remove: catalog.remove,
    removeOwner: catalog.removeOwner,
    enable: (name) => catalog.turn(name, true),
    disable: (name) => catalog.turn(name, false),
    get: catalog.get,
    changed: announcements.listen,
  };
}

/** What the prompt declares, and only that. */
function readValues(
  { name, arguments: declared = {} }: AnyPrompt,
  given: JsonObject,
): Refused | { readonly values: Readonly<Record<string, string>> } {
  const values = new Map<string, string>();
  for (const [key, { required }] of Object.entries(declared)) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    if (typeof value === "string") values.set(key, value);
    else if (value !== undefined)
      return refuse(`argument "${key}" of prompt "${name}" must be text, got ${excerpt(value)}`);
    else if (required === true) return refuse(`prompt "${name}" needs the argument "${key}"`);
  }
  return { values: Object.fromEntries(values) };
}

function definition(prompt: AnyPrompt): JsonObject {
  const { name, get, arguments: parameters } = prompt;
  if (typeof name !== "string" || name === "") throw wrong("the name of a prompt", name, "a text that is not empty");
  if (typeof get !== "function") throw wrong(`get of prompt "${name}"`, typeof get, "a function");
  return { name, ...describe(`prompt "${name}"`, prompt), arguments: parameters && listParameters(parameters) };
}

function listParameters(parameters: PromptParameters): readonly JsonObject[] {
  return Object.entries(parameters).map(([name, { title, description, required }]) => ({
    name,
    title,
    description,
    required,
  }));
}

function completersOf(parameters: PromptParameters = {}): readonly (readonly [string, Completer | undefined])[] {
  return Object.entries(parameters).map(([name, { complete }]) => [name, complete]);
}

function ignore(): void {}
