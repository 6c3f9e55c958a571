import { excerpt } from "@parlance/jsonrpc/codec";
import {
  type CacheHint,
  type Call,
  type FeatureSet,
  listening,
  type Outcome,
  type Refused,
  watching,
} from "@parlance/protocol-versions";
import { createAnnouncements } from "../announcements.js";
import { type AddOptions, type CatalogOptions, createCatalog } from "../catalog.js";
import { completion } from "../completion/complete.js";
import { after, type Later } from "../later.js";
import { createList, refuse } from "../list.js";
import { readResult } from "./contents.js";
import { resourceDefinition, templateDefinition } from "./definition.js";
import { createFamily, type Family, findFamily } from "./family.js";
import { withListed } from "./listed.js";
import { createListeners, type Watch } from "./listeners.js";
import type { AnyResource, Resource, ResourceReturn } from "./resource.js";
import { isUri } from "./uri.js";

/**
 * How a set of resources behaves.
 * @stable
 */
export interface ResourcesOptions extends CatalogOptions<AnyResource> {
  /** How long and by whom what was read may be kept, unless the resource says it. Default: the era's, which is not at all. */
  readonly readCache?: CacheHint | undefined;
  /**
   * Lets callers listen to single resources, and hears to which. `true`: it need not hear, `updated` is called anyway.
   * Default: callers cannot listen.
   */
  readonly watch?: Watch | true | undefined;
}

/**
 * Resources by their URIs, and families of resources by their templates: a feature set for a server.
 * @stable
 */
export interface Resources extends FeatureSet {
  /**
   * Adds a resource or a template. A URI, or a template's text, that is there already is refused: whoever has it keeps it.
   * @throws LocalError `INVALID_ARGUMENT`; its `details.taken` says what is there already
   */
  add(resource: AnyResource, options?: AddOptions): void;
  /** By URI or template text. @returns whether there was such a one */
  remove(uri: string): boolean;
  /** Removes all of an owner at once. @returns their URIs and template texts */
  removeOwner(owner: string): readonly string[];
  /** @returns whether that changed anything */
  enable(uri: string): boolean;
  /** Makes it unknown until `enable`; its URI stays taken. @returns whether that changed anything */
  disable(uri: string): boolean;
  /** What has that URI or template text, enabled or not, visible or not. */
  get(uri: string): AnyResource | undefined;
  /** Tells whoever listens to a resource that it has changed. */
  updated(uri: string): void;
  /** Hears of changes, once for all those of a turn. @returns what ends it */
  changed: NonNullable<FeatureSet["changed"]>;
}

/** Where a URI leads. */
interface Found {
  readonly resource: AnyResource;
  readonly family?: Family | undefined;
  read(): Later<ResourceReturn>;
}

/**
 * Makes a set of resources.
 * @throws LocalError `INVALID_ARGUMENT` for a resource that is wrong, or there twice
 * @see MCP 2026-07-28, server/resources
 * @stable
 */
export function createResources(resources: readonly AnyResource[] = [], options: ResourcesOptions = {}): Resources {
  const { visible, cache, readCache, pages, watch, report = ignore } = options;
  const announcements = createAnnouncements(report);
  const fixed = createCatalog<Resource>("resource", visible, touched);
  const families = createCatalog<Family>(
    "resource template",
    visible && (({ template }, call) => visible(template, call)),
    touched,
  );
  const fixedList = createList({ member: "resources", key: "uri", cache, pages });
  const familyList = createList({ member: "resourceTemplates", key: "uriTemplate", cache, pages });
  const listen = createListeners(watch === true ? undefined : watch, updated, report);

  function touched(): void {
    fixedList.invalidate();
    familyList.invalidate();
    announcements.announce({ type: "resources" });
  }

  function updated(uri: string): void {
    announcements.announce({ type: "resource", uri });
  }

  function add(resource: AnyResource, how?: AddOptions): void {
    if ("uri" in resource) fixed.add(resource.uri, resource, resourceDefinition(resource), how);
    else families.add(resource.uriTemplate, createFamily(resource), templateDefinition(resource), how);
  }

  function list(call: Call): Later<Outcome> {
    const own = fixed.shown(call).map(({ definition }) => definition);
    const listing = families.shown(call).filter(({ item }) => item.template.list !== undefined);
    if (listing.length === 0) return fixedList.answer(call, own);
    const templates = listing.map(({ item }) => item.template);
    return withListed(own, templates, call).then((shown) => fixedList.answer(call, shown, false));
  }

  function find(uri: unknown, call: Call): Found | Refused {
    const resource = typeof uri === "string" ? fixed.find(uri, call) : undefined;
    if (resource !== undefined) return { resource, read: () => resource.read(call) };
    if (!isUri(uri)) return refuse(`uri must be a URI with its scheme, got ${excerpt(uri)}`, { uri });
    const shown = families.shown(call).map(({ item }) => item);
    const found = findFamily(shown, uri);
    if (found === undefined) return missing(uri);
    const { family, variables } = found;
    return { resource: family.template, family, read: () => family.read(variables, call) };
  }

  function read(call: Call): Later<Outcome> {
    const { uri } = call.params;
    const found = find(uri, call);
    if ("reason" in found) return found;
    const { mimeType, cache: hint = readCache } = found.resource;
    return after<ResourceReturn, Outcome>(found.read(), (returned) => {
      const result = readResult(returned, String(uri), mimeType);
      return result === undefined ? missing(uri) : { type: "complete", result, cache: hint };
    });
  }

  const complete = completion({
    ref: "ref/resource",
    completes: () => families.all.some(({ item }) => item.template.complete !== undefined),
    argumentsOf({ uri }, call) {
      const named = typeof uri === "string" ? families.find(uri, call) : undefined;
      const found = named === undefined ? find(uri, call) : { family: named };
      if ("reason" in found) return `there is no resource template ${excerpt(uri)}`;
      return found.family?.completers ?? new Map();
    },
  });

  for (const resource of resources) add(resource);
  if (visible !== undefined && cache?.scope === "public") report({ kind: "shared_filtered_list" });

  return {
    ...listening(),
    get capabilities() {
      return { resources: {}, completions: complete.completes() ? {} : undefined };
    },
    promises: { resources: { listChanged: true, subscribe: watch && true } },
    methods: {
      "resources/list": list,
      "resources/templates/list": (call) =>
        familyList.answer(
          call,
          families.shown(call).map(({ definition }) => definition),
        ),
      "resources/read": read,
      "completion/complete": complete,
    },
    watching:
      watch &&
      watching(
        (uri, call) => {
          const found = find(uri, call);
          return "reason" in found ? found : listen(uri);
        },
        // who may see it may have changed since; what nobody knows any more is told as gone by the list
        visible && ((uri, call) => !("reason" in find(uri, call))),
      ),
    add,
    remove: (uri) => fixed.remove(uri) || families.remove(uri),
    removeOwner: (owner) => [...fixed.removeOwner(owner), ...families.removeOwner(owner)],
    enable: (uri) => fixed.turn(uri, true) || families.turn(uri, true),
    disable: (uri) => fixed.turn(uri, false) || families.turn(uri, false),
    get: (uri) => fixed.get(uri) ?? families.get(uri)?.template,
    updated,
    changed: announcements.listen,
  };
}

function missing(uri: unknown): Refused {
  return { type: "refused", reason: "not_found", message: `there is no resource ${excerpt(uri)}` };
}

function ignore(): void {}
